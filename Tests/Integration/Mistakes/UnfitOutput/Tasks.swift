import TaskKit

final class NotSendable {}

// error: type 'Show.Output' (aka 'NotSendable') does not conform to the 'Sendable' protocol
@EventTask(event: .didFinishLaunching)
enum Show {
  static func run() -> NotSendable { NotSendable() }
}
