/// What is to be stopped when the center shuts down: the tasks with a `stop` that have succeeded, each at the place of the
/// start that was the first to lead to a success.
///
/// It outlives the tasks: one that ran once and left the center, or was destroyed, has still to be undone.
struct StopList {
  private struct Entry {
    /// The places in the order of starts of those that may still be the first to succeed, by run: several may be at it.
    var starts: [UInt64: UInt64] = [:]
    /// The place of the one that was.
    var place: UInt64?
    var output: (any Sendable)?

    mutating func succeed(in run: UInt64) {
      guard place == nil else { return }
      place = starts[run]
      starts = [:]
    }
  }

  private var entries: [Int32: Entry] = [:]
  private var registrations: [Int32: TaskRegistration] = [:]
  /// Of tasks that have left the center.
  private var departed: [(entry: Entry, registration: TaskRegistration)] = []
  private var nextStart: UInt64 = 0

  var isEmpty: Bool { departed.isEmpty && !entries.values.contains { $0.place != nil } }

  /// The body of a task is about to begin.
  mutating func started(_ task: Int32, run: UInt64) {
    guard entries[task]?.place == nil else { return }
    entries[task, default: Entry()].starts[run] = nextStart
    nextStart += 1
  }

  /// The body has returned, and there is nothing to undo.
  mutating func failed(_ task: Int32, run: UInt64) {
    entries[task]?.starts[run] = nil
  }

  /// - Returns: the output that it had before.
  mutating func succeeded(_ task: Int32, run: UInt64, _ registration: TaskRegistration, output: (any Sendable)?)
    -> (any Sendable)?
  {
    defer {
      entries[task]?.succeed(in: run)
      entries[task]?.output = output
      registrations[task] = registration
    }
    return entries[task]?.output
  }

  /// The number of a task that has left goes to another one.
  mutating func leave(_ task: Int32) {
    guard let entry = entries.removeValue(forKey: task) else { return }
    if let registration = registrations.removeValue(forKey: task), entry.place != nil {
      departed.append((entry, registration))
    }
  }

  /// Empties the list: what has been started last comes first.
  mutating func take() -> [(task: TaskRegistration, output: any Sendable)] {
    let present = entries.compactMap { number, entry in
      entry.place == nil ? nil : registrations[number].map { (entry: entry, registration: $0) }
    }
    let due = (departed + present).sorted { $0.entry.place! > $1.entry.place! }
    entries = [:]
    registrations = [:]
    departed = []
    return due.map { ($0.registration, $0.entry.output ?? ()) }
  }
}
