#if canImport(Darwin)
import Darwin
#elseif canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#endif

/// Bodies that write down on which thread they ran, and are as good as empty.
///
/// Each mark is written by one body alone, and read when no body runs; that is why they may be shared without a lock.
final class ThreadMarks: @unchecked Sendable {
  private let base: UnsafeMutablePointer<pthread_t?>
  private let count: Int

  init(count: Int) {
    self.count = count
    base = .allocate(capacity: count)
    base.initialize(repeating: nil, count: count)
  }

  deinit {
    base.deinitialize(count: count)
    base.deallocate()
  }

  var work: Work {
    Work(bodies: (0..<count).map { task in Work.Body { self.base[task] = pthread_self() } })
  }

  var threadCount: Int {
    Set(UnsafeBufferPointer(start: base, count: count)).count
  }
}
