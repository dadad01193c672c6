/// Where the nodes of each priority stand when all are sorted: highest first, equal ones in the order in which they come.
///
/// As long as there are few different priorities they are compared, which costs less than hashing; many are hashed.
struct PriorityGroups {
  private var priorities: ContiguousArray<Int> = []
  private var next: ContiguousArray<Int32> = []
  /// Places in the two lists, once there are many.
  private var places: [Int: Int] = [:]
  private var last = 0

  init(_ all: ContiguousArray<Int>) {
    for priority in all { next[place(of: priority)] += 1 }
    var start: Int32 = 0
    for place in priorities.indices.sorted(by: { priorities[$0] > priorities[$1] }) {
      let count = next[place]
      next[place] = start
      start += count
    }
  }

  mutating func nextPlace(of priority: Int) -> Int32 {
    let place = place(of: priority)
    defer { next[place] += 1 }
    return next[place]
  }

  /// Where a priority stands in the lists; a new one is added.
  @inline(__always)
  private mutating func place(of priority: Int) -> Int {
    if last < priorities.count, priorities[last] == priority { return last }
    last = find(priority)
    return last
  }

  private mutating func find(_ priority: Int) -> Int {
    if priorities.count <= Self.few {
      if let place = priorities.firstIndex(of: priority) { return place }
    } else if let place = places[priority] {
      return place
    }
    priorities.append(priority)
    next.append(0)
    if priorities.count == Self.few + 1 {
      for (place, priority) in priorities.enumerated() { places[priority] = place }
    } else if priorities.count > Self.few {
      places[priority] = priorities.count - 1
    }
    return priorities.count - 1
  }

  private static var few: Int { 16 }
}
