/// Tasks in the order in which they joined, which nobody has to look for when they go.
///
/// Each entry carries the sequence number of its task. A task that goes gives that up, and whoever gets its number has
/// another one, so that the entry stands for nobody any more. Such entries are swept out when the list has doubled:
/// joining costs O(1) on average, leaving nothing.
struct TaskList: Sendable {
  struct Entry: Sendable {
    let task: Int32
    /// For which of its occasions the task has joined, where that matters.
    let occasion: Int32
    let sequence: Int64

    @inline(__always)
    func isPresent(in tasks: borrowing ContiguousArray<TaskRecord>) -> Bool {
      tasks[Int(task)].sequence == sequence
    }
  }

  private var entries: ContiguousArray<Entry> = []
  /// Nothing before it is present any more.
  private var start = 0
  private var sweepAt = 16

  /// How many entries are kept, of tasks that have gone too.
  var storedCount: Int { entries.count }

  /// Whether nobody ever joined, as far as is still known.
  var isEmpty: Bool { entries.isEmpty }

  mutating func reserveCapacity(_ capacity: Int) {
    entries.reserveCapacity(capacity)
    sweepAt = max(sweepAt, capacity)
  }

  mutating func append(_ task: Int32, occasion: Int = 0, in tasks: borrowing ContiguousArray<TaskRecord>) {
    if entries.count >= sweepAt {
      entries.removeAll { !$0.isPresent(in: tasks) }
      start = 0
      sweepAt = max(16, 2 * entries.count)
    }
    entries.append(Entry(task: task, occasion: Int32(occasion), sequence: tasks[Int(task)].sequence))
  }

  /// Takes in a task of which all that joined before are there.
  mutating func append(_ task: Int32, sequence: Int64) {
    entries.append(Entry(task: task, occasion: 0, sequence: sequence))
    sweepAt = max(sweepAt, entries.count)
  }

  /// Takes out all entries of some tasks.
  mutating func remove(_ some: Set<Int32>) {
    entries.removeAll { some.contains($0.task) }
    start = 0
  }

  /// The first that is there. What it has passed over is never looked at again: O(1) on average.
  mutating func first(in tasks: borrowing ContiguousArray<TaskRecord>) -> Entry? {
    while start < entries.count {
      if entries[start].isPresent(in: tasks) { return entries[start] }
      start += 1
    }
    self = TaskList()
    return nil
  }

  func present(in tasks: borrowing ContiguousArray<TaskRecord>) -> ContiguousArray<Entry> {
    var present = ContiguousArray<Entry>()
    present.reserveCapacity(entries.count - start)
    for entry in entries[start...] where entry.isPresent(in: tasks) { present.append(entry) }
    return present
  }

  func contains(in tasks: borrowing ContiguousArray<TaskRecord>, where predicate: (Entry) -> Bool) -> Bool {
    entries[start...].contains { $0.isPresent(in: tasks) && predicate($0) }
  }
}
