/// What was put into a lane, is a run by now and could start: the first ones of those that are ready and of those that wait
/// for the lane.
///
/// What waits for its next attempt is not among them, and comes back when its time has come. So a turn of the lane costs
/// O(log n) of n that could start, however many do not.
///
/// A class, because the states of the runs share it with their lane: all belong to the lock of one center.
final class LaneCandidates {
  private var ready = LaneHeap()
  private var parked = LaneHeap()

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
    switch entry.standing {
    case .ready: ready.remove(entry)
    case .parked: parked.remove(entry)
    case .apart: break
    }
  }
}

/// A binary heap of entries by their ranks. Each knows its place, and is in one heap at a time.
private struct LaneHeap {
  private var entries: ContiguousArray<LaneEntry> = []

  var first: LaneEntry? { entries.first }

  mutating func insert(_ entry: LaneEntry) {
    entries.append(entry)
    rise(entry, from: entries.count - 1)
  }

  /// Takes an entry out; one that is paused is not in here.
  mutating func remove(_ entry: LaneEntry) {
    guard let place = entry.place else { return }
    entry.place = nil
    let last = entries.removeLast()
    guard place < entries.count else { return }
    if last.rank < entry.rank { rise(last, from: place) } else { sink(last, from: place) }
  }

  private mutating func rise(_ entry: LaneEntry, from start: Int) {
    var place = start
    while place > 0 {
      let parent = (place - 1) >> 1
      guard entry.rank < entries[parent].rank else { break }
      put(entries[parent], at: place)
      place = parent
    }
    put(entry, at: place)
  }

  private mutating func sink(_ entry: LaneEntry, from start: Int) {
    var place = start
    while true {
      var child = 2 * place + 1
      guard child < entries.count else { break }
      if child + 1 < entries.count, entries[child + 1].rank < entries[child].rank { child += 1 }
      guard entries[child].rank < entry.rank else { break }
      put(entries[child], at: place)
      place = child
    }
    put(entry, at: place)
  }

  private mutating func put(_ entry: LaneEntry, at place: Int) {
    entries[place] = entry
    entry.place = place
  }
}
