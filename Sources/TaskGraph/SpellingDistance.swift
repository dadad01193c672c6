/// How many slips lie between two spellings: a byte left out, added, replaced, or swapped with its neighbour.
enum SpellingDistance {
  /// The number of slips; anything above `limit` if there are more than that.
  ///
  /// Cost: O(limit × length): only the diagonal band is filled in.
  static func between(_ first: [UInt8], _ second: String.UTF8View, limit: Int) -> Int {
    let second = Array(second)
    let tooFar = limit + 1
    guard limit >= 0, abs(first.count - second.count) <= limit else { return tooFar }
    var beforeLast = [Int](repeating: tooFar, count: second.count + 1)
    var last = second.indices.map { min($0, tooFar) } + [min(second.count, tooFar)]
    for row in first.indices {
      var current = [Int](repeating: tooFar, count: second.count + 1)
      current[0] = min(row + 1, tooFar)
      var smallest = current[0]
      for column in max(0, row - limit)..<max(0, row - limit, min(second.count, row + limit + 1)) {
        let same = first[row] == second[column]
        var value = min(last[column] + (same ? 0 : 1), last[column + 1] + 1, current[column] + 1)
        if row > 0, column > 0, first[row] == second[column - 1], first[row - 1] == second[column] {
          value = min(value, beforeLast[column - 1] + 1)
        }
        current[column + 1] = min(value, tooFar)
        smallest = min(smallest, value)
      }
      if smallest > limit { return tooFar }
      (beforeLast, last) = (last, current)
    }
    return last[second.count]
  }
}
