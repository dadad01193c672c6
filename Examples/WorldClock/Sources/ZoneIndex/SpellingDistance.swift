/// How many letters have to be replaced, dropped, inserted or swapped with a neighbour to turn one text into another.
///
/// - Returns: nil if more than `limit`.
func spellingDistance(_ left: [UInt8], _ right: [UInt8], limit: Int) -> Int? {
  guard abs(left.count - right.count) <= limit else { return nil }
  var beforePrevious: [Int] = []
  var previous = Array(0...right.count)
  for (row, byte) in left.enumerated() {
    var current = [row + 1]
    current.reserveCapacity(right.count + 1)
    for (column, other) in right.enumerated() {
      var best = min(previous[column + 1], current[column]) + 1
      best = min(best, previous[column] + (byte == other ? 0 : 1))
      if row > 0, column > 0, byte == right[column - 1], left[row - 1] == other {
        best = min(best, beforePrevious[column - 1] + 1)
      }
      current.append(best)
    }
    guard (current.min() ?? 0) <= limit else { return nil }
    beforePrevious = previous
    previous = current
  }
  return previous[right.count] <= limit ? previous[right.count] : nil
}
