/// What the tasks of a registry wait for: rows of task numbers, in one piece of memory.
final class LinkTable: Sendable {
  typealias Row = ArraySlice<Int32>

  private let targets: [Int32]
  /// Where the dependencies of each row begin and where its `after`, and at last where all ends.
  private let starts: ContiguousArray<Int32>

  init(targets: [Int32], starts: ContiguousArray<Int32>) {
    self.targets = targets
    self.starts = starts
  }

  /// How many references there are.
  var count: Int { targets.count }

  func dependencies(of row: Int32) -> Row { targets[Int(starts[2 * Int(row)])..<Int(starts[2 * Int(row) + 1])] }

  func after(of row: Int32) -> Row { targets[Int(starts[2 * Int(row) + 1])..<Int(starts[2 * Int(row) + 2])] }

  /// All rows at once: what begins where.
  @inline(__always)
  func withRows(_ body: (_ targets: UnsafeBufferPointer<Int32>, _ starts: UnsafeBufferPointer<Int32>) -> Void) {
    targets.withUnsafeBufferPointer { targets in starts.withUnsafeBufferPointer { body(targets, $0) } }
  }
}
