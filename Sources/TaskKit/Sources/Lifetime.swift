/// The life of a process as its center sees it.
struct Lifetime {
  typealias Waiter = CheckedContinuation<ShutdownReason, Never>

  /// Whether `run(sources:)` was called.
  private(set) var isRunning = false
  private(set) var request: ShutdownReason?
  private var waiter: Waiter?
  var launch: [EventReport] = []
  var sources: [EventSourceReport] = []
  /// The one shutdown, which everybody who asks for it awaits.
  var shutdown: _Concurrency.Task<ShutdownReport, Never>?
  /// Until when something is waited for, on the continuous clock, and nobody has gone on since.
  private var waits: [UInt64: Int64] = [:]
  private var nextWait: UInt64 = 0

  var earliestWait: Int64? { waits.values.min() }

  mutating func beginWait(until due: Int64) -> UInt64 {
    defer { nextWait += 1 }
    waits[nextWait] = due
    return nextWait
  }

  mutating func endWait(_ wait: UInt64) { waits[wait] = nil }

  /// - Returns: false if it was called before.
  mutating func begin(_ names: [String]) -> Bool {
    guard !isRunning else { return false }
    isRunning = true
    sources = names.map { EventSourceReport(name: $0, state: .listening) }
    return true
  }

  /// Keeps the first request.
  ///
  /// - Returns: who waited for it.
  mutating func ask(_ reason: ShutdownReason) -> Waiter? {
    guard request == nil else { return nil }
    request = reason
    defer { waiter = nil }
    return waiter
  }

  /// - Returns: the request, if there is one already.
  mutating func awaitRequest(_ waiter: Waiter) -> ShutdownReason? {
    guard let request else {
      self.waiter = waiter
      return nil
    }
    return request
  }
}
