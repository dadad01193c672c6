/// What a script came to, in lines that a test compares: each event with its time, and under it each of its tasks with its
/// outcome, in the order of the law; those that joined while the event waited for its turn stand behind these, by name.
///
/// ```text
/// at 0.0 seconds: didFinishLaunching
///   App.OpenDatabase: succeeded
/// ```
///
/// Two runs with the same outcomes have the same transcript, whatever ran side by side.
public struct LifecycleTranscript: Sendable, Hashable, CustomStringConvertible {
  /// The lines, without their ends. An event's begins with `at`, a task's with two blanks.
  public let lines: [String]

  public var description: String { lines.joined(separator: "\n") }
}
