import TaskKit
import TaskKitDurable

extension EventSource {
  /// Tells what becomes of the digests.
  ///
  /// - Parameter events: asked for before anything else, so that it has everything.
  static func outboxEvents(_ events: AsyncStream<JobEvent>, to console: Console) -> EventSource {
    EventSource("outbox events") { _ in
      for await event in events {
        switch event.kind {
        case .failed(let id, _, let attempt, let text, let delay):
          await console.write("digest \(id), attempt \(attempt): \(text); again in \(Int(delay / .milliseconds(1))) ms")
        case .rescued(let job): await console.write("digest \(job.id) was on its way when the process died")
        case .storeFailed(let text, _): await console.writeError("error: \(text)")
        default: break
        }
      }
    }
  }

  /// Ends the process when nothing in the outbox can be posted any more.
  ///
  /// - Parameter undelivered: gets why digests have stayed behind.
  static func emptyOutbox(undelivered: @escaping @Sendable (String) -> Void) -> EventSource {
    EventSource("outbox") { sink in
      let jobs = sink.center.jobs
      for await counts in jobs.updates() where !counts.contains(where: \.state.isOnItsWay) {
        for job in try await jobs.all(where: JobSelection(states: [.dead, .held])) {
          undelivered(try await jobs.why(job.id))
        }
        return sink.shutDown(because: "nothing is left to post")
      }
    }
  }
}

extension JobState {
  fileprivate var isOnItsWay: Bool { !isFinal && self != .held }
}
