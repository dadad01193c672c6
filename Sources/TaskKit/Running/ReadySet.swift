/// The ranks of the tasks that could start now: a set of small integers whose smallest member is found in a few steps.
///
/// A bitmap of 64-bit words with a bitmap over its words, and so on up to a single word. On a million ranks that is
/// four levels, where a binary heap has twenty and misses the cache in most of them.
///
/// The memory belongs to whoever makes the set; see ``RunMemory``.
struct ReadySet {
  /// Levels that any `Int32` needs.
  private typealias Levels = (Int32, Int32, Int32, Int32, Int32, Int32)

  private let words: UnsafeMutablePointer<UInt64>?
  /// Where each level starts in `words`, the lowest first.
  private let levels: Levels
  private let levelCount: Int
  private(set) var count = 0

  /// A set of ranks below `capacity`, which may be 0: then nothing is allocated, and nothing may be inserted.
  static func make(capacity: Int) -> ReadySet {
    var starts: Levels = (0, 0, 0, 0, 0, 0)
    guard capacity > 0 else { return ReadySet(words: nil, levels: starts, levelCount: 0) }
    var size = capacity
    var total = 0
    var levelCount = 0
    repeat {
      size = (size + 63) >> 6
      withUnsafeMutableBytes(of: &starts) { $0.assumingMemoryBound(to: Int32.self)[levelCount] = Int32(total) }
      levelCount += 1
      total += size
    } while size > 1
    let words = UnsafeMutablePointer<UInt64>.allocate(capacity: total)
    words.initialize(repeating: 0, count: total)
    return ReadySet(words: words, levels: starts, levelCount: levelCount)
  }

  private init(words: UnsafeMutablePointer<UInt64>?, levels: Levels, levelCount: Int) {
    self.words = words
    self.levels = levels
    self.levelCount = levelCount
  }

  func deallocate() { words?.deallocate() }

  var isEmpty: Bool { count == 0 }

  @inline(__always)
  private func start(of level: Int) -> Int {
    switch level {
    case 0: 0
    case 1: Int(levels.1)
    case 2: Int(levels.2)
    case 3: Int(levels.3)
    case 4: Int(levels.4)
    default: Int(levels.5)
    }
  }

  /// The smallest rank.
  var first: Int32? {
    guard count > 0, let words else { return nil }
    var position = 0
    var level = levelCount - 1
    while level >= 0 {
      position = position << 6 | words[start(of: level) + position].trailingZeroBitCount
      level -= 1
    }
    return Int32(truncatingIfNeeded: position)
  }

  mutating func insert(_ rank: Int32) {
    guard let words else { return }
    var position = Int(rank)
    count += 1
    for level in 0..<levelCount {
      let index = start(of: level) + (position >> 6)
      let word = words[index]
      words[index] = word | 1 << UInt64(position & 63)
      // A word that had a member already is known to the levels above.
      if word != 0 { return }
      position >>= 6
    }
  }

  mutating func remove(_ rank: Int32) {
    guard let words else { return }
    var position = Int(rank)
    count -= 1
    for level in 0..<levelCount {
      let index = start(of: level) + (position >> 6)
      words[index] &= ~(1 << UInt64(position & 63))
      if words[index] != 0 { return }
      position >>= 6
    }
  }
}
