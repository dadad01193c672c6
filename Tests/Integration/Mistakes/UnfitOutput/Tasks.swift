import TaskKit

final class NotSendable {}

@EventTask(event: .didFinishLaunching)  // error: does not conform to the 'Sendable' protocol
enum Show {
  static func run() -> NotSendable { NotSendable() }
}
