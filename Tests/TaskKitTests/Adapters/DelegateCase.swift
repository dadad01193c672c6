#if !canImport(Darwin)
import TaskKit
import Testing

/// One row of a delegate's table: a callback, what the system calls, and what has to come of it.
struct DelegateCase<Delegate>: Sendable, CustomTestStringConvertible {
  let selector: String
  /// A task of the event, which notes its payload.
  let task: @Sendable (Recorder) -> TaskDefinition
  /// The system's call; what it got back, in words.
  let call: @MainActor @Sendable (Delegate) -> String
  let payload: String
  let reply: String

  var testDescription: String { selector }

  /// A callback that only tells.
  init<Payload: Sendable, Reply: Sendable>(
    _ selector: String, _ event: LifecycleEvent<Payload, Reply>, payload: String = "()",
    _ call: @escaping @MainActor @Sendable (Delegate) -> Void
  ) {
    self.selector = selector
    task = { notes in .event(event, name: "task") { context in notes.note("\(context.payload)") } }
    self.call = { delegate in
      call(delegate)
      return "nothing"
    }
    self.payload = payload
    reply = "nothing"
  }

  /// A callback that wants a reply, which the task gives.
  init<Payload: Sendable, Reply: Sendable>(
    _ selector: String, _ event: LifecycleEvent<Payload, Reply>, payload: String = "()", answer: Reply, reply: String,
    _ call: @escaping @MainActor @Sendable (Delegate) -> String
  ) {
    self.selector = selector
    task = { notes in
      .event(
        event, name: "task",
        replying: { context in
          notes.note("\(context.payload)")
          return answer
        })
    }
    self.call = call
    self.payload = payload
    self.reply = reply
  }
}

extension DelegateCase where Delegate: AnyObject {
  /// What a completion handler was called with, in words; every call counts.
  @MainActor static func answers<Value>(_ call: (@escaping (Value) -> Void) -> Void) -> String {
    var answers: [String] = []
    call { answers.append("\($0)") }
    return answers.joined(separator: " and ")
  }
}

/// The center of the delegates of a test: a delegate has it by its class, which the system makes objects of.
enum TestCenter {
  @TaskLocal static var current: TaskCenter?
}
#endif
