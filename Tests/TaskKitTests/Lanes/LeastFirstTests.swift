@testable import TaskKit
import Testing

@Suite struct LeastFirstTests {
  /// Knows where it stands.
  private final class Stone: HeapElement {
    let weight: Int
    var place: Int?

    init(_ weight: Int) { self.weight = weight }

    static func == (one: Stone, other: Stone) -> Bool { one === other }
    static func < (one: Stone, other: Stone) -> Bool { one.weight < other.weight }

    func stands(at place: Int) { self.place = place }
  }

  private func orders(of numbers: [Int]) -> [[Int]] {
    guard !numbers.isEmpty else { return [[]] }
    var orders: [[Int]] = []
    for (place, number) in numbers.enumerated() {
      var rest = numbers
      rest.remove(at: place)
      for order in self.orders(of: rest) { orders.append([number] + order) }
    }
    return orders
  }

  @Test(arguments: 1...6)
  func `whichever is taken out of a heap, the others come in their order`(count: Int) throws {
    for order in orders(of: Array(0..<count)) {
      for weight in 0..<count {
        let stones = order.map { Stone($0) }
        var heap = LeastFirst<Stone>()
        for stone in stones { heap.insert(stone) }
        let stone = try #require(stones.first { $0.weight == weight })
        let removed = heap.remove(at: try #require(stone.place))
        var left: [Int] = []
        while let first = heap.popFirst() { left.append(first.weight) }
        guard removed != stone || left != (0..<count).filter({ $0 != weight }) else { continue }
        Issue.record("\(order) without \(weight): \(removed.weight), then \(left)")
      }
    }
  }
}
