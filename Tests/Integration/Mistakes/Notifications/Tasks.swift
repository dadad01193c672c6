import TaskKit

@NotificationTask("")  // error: the name of the notification is empty
enum Nameless {
  static func run() {}
}

@NotificationTask("  ")  // error: the name of the notification is empty
enum Blank {
  static func run() {}
}

@NotificationTask("PricesChanged", timeout: .zero)  // error: a timeout of '.zero' is over before the task starts
enum Hurried {
  static func run() {}
}

@NotificationTask("PricesChanged")  // error: 'run' has to take the payload of the event
enum WrongPayload {
  static func run(_ price: Int) {}
}

@SequenceTask(numbers)  // error: 'run' has to take the payload of the event
enum WrongElement {
  static func run(_ number: String) {}
}

@SequenceTask(7)  // error: argument type 'Int' does not conform to expected type 'AsyncSequence'
// generated error: type 'NoSequence' has no member 'registration'
enum NoSequence {
  static func run(_ number: Int) {}
}

var numbers: AsyncStream<Int> { AsyncStream { $0.finish() } }

@SequenceTask(Presses())  // error: main actor-isolated conformance of 'Presses' to 'AsyncSequence' cannot be used in nonisolated
enum Count {
  static func run(_ press: Int) {}
}

struct Presses: @MainActor AsyncSequence, Sendable {
  final class Iterator: @MainActor AsyncIteratorProtocol {
    @MainActor func next() async -> Int? { nil }
  }

  @MainActor func makeAsyncIterator() -> Iterator { Iterator() }
}
