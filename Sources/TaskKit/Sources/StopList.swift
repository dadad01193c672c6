/// What is to be stopped when the center shuts down: the tasks with a `stop` that have succeeded, with the order in
/// which they were first started for that.
///
/// It outlives the tasks: one that ran once and left the center, or was destroyed, has still to be undone.
struct StopList {
  private struct Entry {
    /// Its place in the order of starts; that of the latest start until one has succeeded.
    var start: UInt64
    var hasSucceeded = false
    var output: (any Sendable)?
  }

  private var entries: [Int32: Entry] = [:]
  private var registrations: [Int32: TaskRegistration] = [:]
  private var nextStart: UInt64 = 0

  var isEmpty: Bool { !entries.values.contains(where: \.hasSucceeded) }

  /// The body of a task is about to begin.
  mutating func started(_ task: Int32) {
    guard entries[task]?.hasSucceeded != true else { return }
    entries[task] = Entry(start: nextStart)
    nextStart += 1
  }

  /// - Returns: the output that it had before.
  mutating func succeeded(_ task: Int32, _ registration: TaskRegistration, output: (any Sendable)?)
    -> (any Sendable)?
  {
    defer {
      entries[task]?.hasSucceeded = true
      entries[task]?.output = output
      registrations[task] = registration
    }
    return entries[task]?.output
  }

  /// Empties the list: what has been started last comes first.
  mutating func take() -> [(task: TaskRegistration, output: any Sendable)] {
    let due = entries.filter(\.value.hasSucceeded).sorted { $0.value.start > $1.value.start }
    defer {
      entries = [:]
      registrations = [:]
    }
    return due.compactMap { number, entry in registrations[number].map { ($0, entry.output ?? ()) } }
  }
}
