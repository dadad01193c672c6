/// What is due when: a heap of which the earliest is known, and from which anything can be taken out again.
///
/// Four children a node: a lookup touches one cache line more than with two and the heap is half as deep. Each element
/// has a place that does not move. To take one out empties its place and leaves its node where it is, until that comes
/// up as the earliest or half of the nodes are such: a search through the heap would touch memory that nobody has
/// touched for long, at each step, and so would writing down where every node has moved. Elements of the same time come
/// out in the order in which they were added. Memory is 48 bytes an element and what the growing of arrays leaves over;
/// up to as much again for what was taken out. It is given back when a large heap has become empty.
///
/// Adding costs O(1) on average for times that are mostly ascending and O(log n) at worst, the next one O(log n), taking
/// one out O(1) on average: once in n times, it tidies up in O(n).
struct DueHeap<Element> {
  /// Names an element for as long as it is in the heap; in a place that is used again is another generation.
  struct Token: Sendable, Hashable {
    fileprivate let place: Int32
    /// Which of all elements it was, as far as 32 bits tell.
    fileprivate let generation: UInt32
  }

  private struct Node {
    let due: Int64
    let sequence: UInt64
    let place: Int32

    @inline(__always)
    func comes(before other: Node) -> Bool {
      due != other.due ? due < other.due : sequence < other.sequence
    }
  }

  fileprivate struct Place {
    /// Nil when it has been taken out. The place is free when its node has left the heap too.
    var element: Element?
    var generation: UInt32
    /// Of a free place: the next free one, or -1.
    var nextFree: Int32
  }

  private var nodes: ContiguousArray<Node> = []
  private var places: ContiguousArray<Place> = []
  private var firstFree: Int32 = -1
  private var nextSequence: UInt64 = 0
  private(set) var count = 0

  var isEmpty: Bool { count == 0 }

  /// When the earliest is due.
  var earliest: Int64? {
    // The first node is never one of those that were taken out.
    nodes.first?.due
  }

  /// Which of all elements the earliest was.
  var earliestSequence: UInt64? { nodes.first?.sequence }

  /// Has what is added from now on come after everything that another heap has, where both are due at the same time.
  mutating func goOn(after other: DueHeap) {
    nextSequence = max(nextSequence, other.nextSequence)
  }

  @discardableResult
  mutating func add(_ element: Element, due: Int64) -> Token {
    let place: Int32
    let generation = UInt32(truncatingIfNeeded: nextSequence)
    if firstFree >= 0 {
      place = firstFree
      firstFree = places[Int(place)].nextFree
      places[Int(place)].element = element
      places[Int(place)].generation = generation
    } else {
      place = Int32(places.count)
      places.append(Place(element: element, generation: generation, nextFree: -1))
    }
    let node = Node(due: due, sequence: nextSequence, place: place)
    nextSequence += 1
    count += 1
    nodes.append(node)
    rise(node, from: nodes.count - 1)
    return Token(place: place, generation: generation)
  }

  /// Takes an element out; nil if it has left already.
  @inline(__always)
  mutating func remove(_ token: Token) -> Element? {
    guard contains(token) else { return nil }
    let element = places[Int(token.place)].element.take()
    count -= 1
    if token.place == nodes[0].place {
      dropFirst()
      dropTaken()
    } else if nodes.count - count > count + Self.slack {
      tidyUp()
    }
    return element
  }

  /// Takes the earliest element that is due.
  mutating func next(at now: Int64) -> Element? {
    guard let first = nodes.first, first.due <= now else { return nil }
    let element = places[Int(first.place)].element.take()
    count -= 1
    dropFirst()
    dropTaken()
    return element
  }

  /// An element; nil if it has left already.
  subscript(_ token: Token) -> Element? { contains(token) ? places[Int(token.place)].element : nil }

  /// Whether an element has not left yet.
  @inline(__always)
  func contains(_ token: Token) -> Bool {
    let place = Int(token.place)
    return place < places.count && places[place].generation == token.generation && places[place].element != nil
  }

  // MARK: - What was taken out

  /// How many places an empty heap keeps.
  private static var keptPlaces: Int { 1024 }
  /// How many more may have been taken out than are left.
  private static var slack: Int { 16 }

  /// Removes the first node, whose place is empty.
  private mutating func dropFirst() {
    free(nodes[0].place)
    let last = nodes.removeLast()
    if !nodes.isEmpty { sink(last, from: 0) }
  }

  /// Removes nodes whose elements were taken out, until the first is another.
  private mutating func dropTaken() {
    if count == 0 {
      forgetAll()
    } else {
      while places[Int(nodes[0].place)].element == nil { dropFirst() }
    }
  }

  /// Removes all nodes whose elements were taken out.
  private mutating func tidyUp() {
    guard count > 0 else { return forgetAll() }
    var kept = 0
    for index in nodes.indices {
      let node = nodes[index]
      if places[Int(node.place)].element == nil {
        free(node.place)
      } else {
        nodes[kept] = node
        kept += 1
      }
    }
    nodes.removeLast(nodes.count - kept)
    // From the last that has children upwards: O(n) in all.
    for position in stride(from: (kept - 2) >> 2, through: 0, by: -1) { sink(nodes[position], from: position) }
  }

  private mutating func forgetAll() {
    if places.count > Self.keptPlaces {
      nodes = []
      places = []
      firstFree = -1
    } else {
      for node in nodes { free(node.place) }
      nodes.removeAll(keepingCapacity: true)
    }
  }

  private mutating func free(_ place: Int32) {
    places[Int(place)].nextFree = firstFree
    firstFree = place
  }

  // MARK: - The heap

  private mutating func rise(_ node: Node, from start: Int) {
    var position = start
    while position > 0 {
      let parent = (position - 1) >> 2
      guard node.comes(before: nodes[parent]) else { break }
      nodes[position] = nodes[parent]
      position = parent
    }
    nodes[position] = node
  }

  private mutating func sink(_ node: Node, from start: Int) {
    var position = start
    while true {
      let first = 4 * position + 1
      guard first < nodes.count else { break }
      var smallest = first
      for child in first + 1..<min(first + 4, nodes.count) where nodes[child].comes(before: nodes[smallest]) {
        smallest = child
      }
      guard nodes[smallest].comes(before: node) else { break }
      nodes[position] = nodes[smallest]
      position = smallest
    }
    nodes[position] = node
  }
}

extension DueHeap: Sendable where Element: Sendable {}
extension DueHeap.Place: Sendable where Element: Sendable {}

extension Int64 {
  /// A time so many nanoseconds later; the end of time where there is none.
  func later(by duration: Int64) -> Int64 {
    let (sum, overflows) = addingReportingOverflow(duration)
    return overflows ? (duration < 0 ? .min : .max) : sum
  }

  /// A time so many nanoseconds earlier, or how long after another time it is; the end of time where there is none.
  func earlier(by duration: Int64) -> Int64 {
    let (difference, overflows) = subtractingReportingOverflow(duration)
    return overflows ? (duration < 0 ? .max : .min) : difference
  }
}
