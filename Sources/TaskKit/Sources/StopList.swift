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
  /// Of tasks that have left the center.
  private var departed: [(entry: Entry, registration: TaskRegistration)] = []
  private var nextStart: UInt64 = 0

  var isEmpty: Bool { departed.isEmpty && !entries.values.contains(where: \.hasSucceeded) }

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

  /// The number of a task that has left goes to another one.
  mutating func leave(_ task: Int32) {
    guard let entry = entries.removeValue(forKey: task) else { return }
    if let registration = registrations.removeValue(forKey: task), entry.hasSucceeded {
      departed.append((entry, registration))
    }
  }

  /// Empties the list: what has been started last comes first.
  mutating func take() -> [(task: TaskRegistration, output: any Sendable)] {
    let present = entries.compactMap { number, entry in
      entry.hasSucceeded ? registrations[number].map { (entry: entry, registration: $0) } : nil
    }
    let due = (departed + present).sorted { $0.entry.start > $1.entry.start }
    entries = [:]
    registrations = [:]
    departed = []
    return due.map { ($0.registration, $0.entry.output ?? ()) }
  }
}
