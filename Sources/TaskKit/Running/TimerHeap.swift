/// What is due when: a binary heap of timers of which one, the earliest, is armed.
struct TimerHeap {
  enum Action {
    case timeout(RunHandle, node: Int32, attempt: Int)
    case retry(RunHandle, node: Int32, attempt: Int)
    /// A retry was due while the timed-out body still ran, and it has had as long again.
    case abandonRetry(RunHandle, node: Int32, attempt: Int)
    case deadline(RunHandle)
  }

  private struct Entry {
    let due: Int64
    let sequence: UInt64
    let action: Action

    func comes(before other: Entry) -> Bool {
      due != other.due ? due < other.due : sequence < other.sequence
    }
  }

  private var entries: ContiguousArray<Entry> = []
  private var nextSequence: UInt64 = 0

  var earliest: Int64? { entries.first?.due }

  /// A time that is so long after another; the end of time where there is none.
  static func time(_ duration: Int64, after now: Int64) -> Int64 {
    let (sum, overflows) = now.addingReportingOverflow(duration)
    return overflows ? .max : sum
  }

  mutating func add(_ action: Action, due: Int64) {
    entries.append(Entry(due: due, sequence: nextSequence, action: action))
    nextSequence += 1
    var child = entries.count - 1
    while child > 0 {
      let parent = (child - 1) / 2
      guard entries[child].comes(before: entries[parent]) else { return }
      entries.swapAt(child, parent)
      child = parent
    }
  }

  /// Takes the earliest action that is due.
  mutating func next(at now: Int64) -> Action? {
    guard let first = entries.first, first.due <= now else { return nil }
    removeFirst()
    return first.action
  }

  func contains(where predicate: (Action) -> Bool) -> Bool {
    entries.contains { predicate($0.action) }
  }

  /// Drops the timers that a predicate names, such as those of a run that has ended.
  mutating func removeAll(where isObsolete: (Action) -> Bool) {
    let kept = entries.filter { !isObsolete($0.action) }
    guard kept.count != entries.count else { return }
    entries = []
    for entry in kept.sorted(by: { $0.comes(before: $1) }) { entries.append(entry) }
  }

  private mutating func removeFirst() {
    entries.swapAt(0, entries.count - 1)
    entries.removeLast()
    var parent = 0
    while true {
      var smallest = parent
      for child in [2 * parent + 1, 2 * parent + 2] where child < entries.count {
        if entries[child].comes(before: entries[smallest]) { smallest = child }
      }
      guard smallest != parent else { return }
      entries.swapAt(parent, smallest)
      parent = smallest
    }
  }
}
