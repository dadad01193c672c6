/// The law of order a second time, as slowly and plainly as it reads; it shares no idea with the code under test.
struct SlowLaw {
  var effective: [Int]
  var order: [Int]

  /// `waits[d]` holds the prerequisites of d as bits; the graph must be acyclic.
  init(waits: [UInt8], closure: [UInt8], priorities: [Int]) {
    let count = waits.count
    // A node is at least as urgent as everything from which it can be reached.
    effective = priorities
    var node = 0
    while node < count {
      var other = 0
      while other < count {
        if closure[other] & 1 << UInt8(node) != 0, priorities[other] > effective[node] {
          effective[node] = priorities[other]
        }
        other += 1
      }
      node += 1
    }

    order = []
    var started: UInt8 = 0
    while order.count < count {
      var best = -1
      var candidate = 0
      while candidate < count {
        if started & 1 << UInt8(candidate) == 0, waits[candidate] & ~started == 0,
          best < 0 || effective[candidate] > effective[best]
        {
          best = candidate
        }
        candidate += 1
      }
      order.append(best)
      started |= 1 << UInt8(best)
    }
  }
}
