import TaskKit

extension Lane {
  /// What is said to whoever watches, one thing at a time, when the launch is over.
  nonisolated static let greetings = Lane(
    "greetings", isolation: .mainActor, timeout: .seconds(5), opens: .after(.didFinishLaunching))
}
