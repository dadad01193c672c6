/// How far a lane has come, now and each time that changes; see ``LaneQueue/progressUpdates``.
public struct LaneProgress: AsyncSequence, Sendable {
  let center: TaskCenter
  let lane: Lane

  public func makeAsyncIterator() -> Iterator { Iterator(center: center, lane: lane) }

  /// Waits for the next change of one lane. Each iterator begins with how it stands.
  public struct Iterator: AsyncIteratorProtocol {
    let center: TaskCenter
    let lane: Lane
    private var last: EventProgress?

    init(center: TaskCenter, lane: Lane) {
      self.center = center
      self.lane = lane
    }

    /// The progress, at once the first time and then when it is another; nil once the calling task is cancelled.
    public mutating func next() async -> EventProgress? {
      while !_Concurrency.Task.isCancelled {
        let (progress, version) = center.inspect { ($0.progress(of: lane), $0.lanes[lane]?.version ?? 0) }
        guard progress == last else {
          last = progress
          return progress
        }
        await center.change(of: lane, since: version)
      }
      return nil
    }
  }
}

extension TaskCenter {
  /// Returns when a lane has changed since a version of it, or the calling task is cancelled.
  fileprivate func change(of lane: Lane, since version: Int) async {
    let id = receive { $0.nextID() }
    await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        // A cancellation may have come before there was somebody to wake.
        let isOver = receive { machine in
          guard !_Concurrency.Task.isCancelled else { return true }
          let state = machine.knownLane(lane)
          guard state.version == version else { return true }
          state.watchers[id] = continuation
          return false
        }
        if isOver { continuation.resume() }
      }
    } onCancel: {
      receive { machine in
        guard let watcher = machine.lanes[lane]?.watchers.removeValue(forKey: id) else { return }
        machine.effects.append(.resume(watcher))
        machine.forgetIfUnused(lane: lane)
      }
    }
  }
}
