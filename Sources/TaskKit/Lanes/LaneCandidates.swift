/// What was put into a lane, is a run by now and could start: the first ones of those that are ready and of those that wait
/// for the lane.
///
/// What waits for its next attempt is not among them, and comes back when its time has come. So a turn of the lane costs
/// O(log n) of n that could start, however many do not.
///
/// A class, because the states of the runs share it with their lane: all belong to the lock of one center.
final class LaneCandidates {
  private var ready = LeastFirst<LaneEntry>()
  private var parked = LeastFirst<LaneEntry>()

  /// The first for which a worker is there, or on its way.
  var firstReady: LaneEntry? { ready.first }
  /// The first that starts when the lane is free.
  var firstParked: LaneEntry? { parked.first }

  /// Whether one of them comes before something that is no run yet.
  func isAny(before rank: LaneRank) -> Bool {
    if let first = ready.first, first.rank < rank { return true }
    return parked.first.map { $0.rank < rank } ?? false
  }

  /// The run of an entry has come to stand somewhere else.
  func move(_ entry: LaneEntry, to standing: LaneEntry.Standing) {
    leave(entry)
    entry.standing = standing
    join(entry)
  }

  /// Keeps an entry from starting, or lets it.
  func setPaused(_ isPaused: Bool, _ entry: LaneEntry) {
    leave(entry)
    entry.isPaused = isPaused
    join(entry)
  }

  private func join(_ entry: LaneEntry) {
    guard !entry.isPaused else { return }
    switch entry.standing {
    case .ready: ready.insert(entry)
    case .parked: parked.insert(entry)
    case .apart: break
    }
  }

  private func leave(_ entry: LaneEntry) {
    // One that is paused has none.
    guard let place = entry.place else { return }
    entry.place = nil
    switch entry.standing {
    case .ready: ready.remove(at: place)
    case .parked: parked.remove(at: place)
    case .apart: break
    }
  }
}

/// By its rank. It is in one heap at a time.
extension LaneEntry: HeapElement {
  static func == (one: LaneEntry, other: LaneEntry) -> Bool { one === other }
  static func < (one: LaneEntry, other: LaneEntry) -> Bool { one.rank < other.rank }

  func stands(at place: Int) { self.place = place }
}
