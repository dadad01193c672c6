import TaskGraph
import Testing

@Suite struct RankSetTests {
  @Test(arguments: [1, 2, 63, 64, 65, 4_095, 4_096, 4_097, 300_000])
  func `the smallest number always comes first`(capacity: Int) {
    var random = SeededGenerator(seed: UInt64(capacity))
    var set = RankSet(capacity: capacity)
    var expected = Set<Int>()
    for number in [0, capacity - 1, capacity / 2] {
      set.insert(number)
      expected.insert(number)
    }
    for _ in 0..<500 {
      let number = Int.random(in: 0..<capacity, using: &random)
      switch Int.random(in: 0..<4, using: &random) {
      case 0:
        #expect(set.popFirst() == expected.min())
        if let first = expected.min() { expected.remove(first) }
      case 1:
        set.remove(number)
        expected.remove(number)
      default:
        set.insert(number)
        expected.insert(number)
      }
      #expect(set.isEmpty == expected.isEmpty)
    }
    var drained: [Int] = []
    while let number = set.popFirst() { drained.append(number) }
    #expect(drained == expected.sorted())
  }

  @Test func `an empty set has no first number`() {
    var set = RankSet(capacity: 0)
    #expect(set.isEmpty)
    #expect(set.popFirst() == nil)
  }
}
