import Foundation
package import TaskGraph

/// Where the lines of a file start.
package struct LineTable: Sendable {
  private let path: String
  private var starts: [Int] = [0]

  package init(_ source: SourceText) {
    path = source.path
    var starts = [0]
    source.bytes.withUnsafeBufferPointer { bytes in
      guard let text = bytes.baseAddress else { return }
      var position = 0
      while let found = memchr(text + position, 0x0A, bytes.count - 1 - position) {
        position = UnsafeRawPointer(text).distance(to: UnsafeRawPointer(found)) + 1
        starts.append(position)
      }
    }
    self.starts = starts
  }

  /// The line and column of a byte, counted from 1, the column in bytes, as the compiler counts.
  package func place(of offset: Int) -> SourcePlace {
    var low = 0
    var high = starts.count
    while high - low > 1 {
      let middle = (low + high) / 2
      if starts[middle] <= offset { low = middle } else { high = middle }
    }
    return SourcePlace(path: path, line: low + 1, column: offset - starts[low] + 1)
  }
}
