import Synchronization

/// How late each of many timers was. Each body writes that down under a lock, which costs all engines the same.
final class LatenessLog: Sendable {
  private let count: Int
  private let values: Mutex<[Int64]>
  private let isFull = Gate()

  init(count: Int) {
    self.count = count
    var values: [Int64] = []
    values.reserveCapacity(count)
    self.values = Mutex(values)
  }

  func note(_ nanoseconds: Int64) {
    let noted = values.withLock { values in
      values.append(nanoseconds)
      return values.count
    }
    precondition(noted <= count, "a body ran twice")
    if noted == count { isFull.open() }
  }

  /// Returns when every body has run.
  func fills() async { await isFull.wait() }

  var sorted: [Int64] { values.withLock { $0 }.sorted() }
}
