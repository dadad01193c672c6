/// A set of small numbers that hands out the smallest one.
///
/// A tree of bits, 64 children to a node: inserting and taking touch one word a level, four levels for sixteen million
/// numbers. The law of order needs nothing else, because a rank already contains priority and order of declaration.
///
/// Cost: O(log₆₄ n) for each operation, n / 63 words of memory.
package struct RankSet: Sendable {
  /// All levels one after the other, the leaves first, the root (one word) last.
  private var words: ContiguousArray<UInt64>
  /// Where each level begins in `words`.
  private let levels: ContiguousArray<Int>

  /// An empty set for the numbers `0..<capacity`.
  package init(capacity: Int) {
    var levels: ContiguousArray<Int> = []
    var total = 0
    var width = max(1, (capacity + 63) / 64)
    while true {
      levels.append(total)
      total += width
      if width == 1 { break }
      width = (width + 63) / 64
    }
    self.levels = levels
    words = ContiguousArray(repeating: 0, count: total)
  }

  package var isEmpty: Bool { words[words.count - 1] == 0 }

  package mutating func insert(_ number: Int) {
    var number = number
    // By index: going through an array counts a reference to it, which is more than the rest.
    for level in 0..<levels.count {
      let position = levels[level] + number >> 6
      let old = words[position]
      words[position] = old | 1 << UInt64(number & 63)
      // A word that was not empty is already known to the levels above.
      if old != 0 { return }
      number >>= 6
    }
  }

  /// Removes and returns the smallest number.
  package mutating func popFirst() -> Int? {
    guard !isEmpty else { return nil }
    var number = 0
    for level in (0..<levels.count).reversed() {
      number = number << 6 + words[levels[level] + number].trailingZeroBitCount
    }
    remove(number)
    return number
  }

  package mutating func remove(_ number: Int) {
    var number = number
    for level in 0..<levels.count {
      let position = levels[level] + number >> 6
      words[position] &= ~(1 << UInt64(number & 63))
      if words[position] != 0 { return }
      number >>= 6
    }
  }
}
