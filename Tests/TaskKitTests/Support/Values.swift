import Synchronization

/// Values that bodies leave for a test, in the order in which they came.
final class Values<Value: Sendable>: Sendable {
  private let list = Mutex<[Value]>([])

  var values: [Value] { list.withLock { $0 } }

  func append(_ value: Value) { list.withLock { $0.append(value) } }
}
