/// One counter for each task, written by its body: what keeps an otherwise empty body from being optimised away, and
/// tells afterwards how often it ran.
///
/// Each cell is written by one body alone, and read when no body runs; that is why it may be shared without a lock.
final class Cells: @unchecked Sendable {
  let base: UnsafeMutablePointer<Int>
  let count: Int

  init(count: Int) {
    self.count = count
    base = .allocate(capacity: count)
    base.initialize(repeating: 0, count: count)
  }

  deinit {
    base.deallocate()
  }

  /// The place of one task's counter.
  func cell(_ task: Int) -> Cell {
    Cell(pointer: base + task)
  }

  var values: [Int] { Array(UnsafeBufferPointer(start: base, count: count)) }

  struct Cell: @unchecked Sendable {
    let pointer: UnsafeMutablePointer<Int>
  }
}
