/// What keeps a task from being started, looked at before each start.
struct TaskMarks: OptionSet {
  let rawValue: UInt8
  static let paused = TaskMarks(rawValue: 1)
  static let pausedAndKept = TaskMarks(rawValue: 2)
  static let destroyed = TaskMarks(rawValue: 4)
  static let ranOnce = TaskMarks(rawValue: 8)
  /// Runs once, and its one run has been chosen in an occurrence that is still going.
  static let runningOnce = TaskMarks(rawValue: 16)
  /// Stands for what is put into lanes; nobody can name it.
  static let notATask = TaskMarks(rawValue: 32)
}
