#if Durable && !os(Windows)

/// Something to do in a transaction of a writer, for somebody who waits until it is on the disk.
protocol WriterOperation: AnyObject, Sendable {
  /// Whether a power cut may undo it.
  var isRelaxed: Bool { get }

  /// Does it. May be called again when the transaction did not come about.
  func run(_ transaction: SQLiteTransaction) throws

  /// Tells what it came to, when that is on the disk. One of these two is called, once.
  func finish()
  func fail(_ error: any Error)
}

// What it came to is written by the writer's thread alone; whoever tells it begins after that.
final class AskedOperation<Value: Sendable>: WriterOperation, @unchecked Sendable {
  let isRelaxed: Bool
  private let body: @Sendable (SQLiteTransaction) throws -> Value
  private let waiter: CheckedContinuation<Value, any Error>
  private var value: Value?

  init(
    isRelaxed: Bool, _ body: @escaping @Sendable (SQLiteTransaction) throws -> Value,
    _ waiter: CheckedContinuation<Value, any Error>
  ) {
    self.isRelaxed = isRelaxed
    self.body = body
    self.waiter = waiter
  }

  func run(_ transaction: SQLiteTransaction) throws { value = try body(transaction) }

  func finish() { waiter.resume(returning: value!) }

  func fail(_ error: any Error) { waiter.resume(throwing: error) }
}
#endif
