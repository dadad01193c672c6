/// What is due when: a heap of which the earliest is known, and from which anything can be taken out again.
///
/// Four children a node: a lookup touches one cache line more than with two and the heap is half as deep. Each element
/// has a place that does not move, with its position in the heap, so that taking one out frees its memory at once
/// instead of leaving a mark. Elements of the same time come out in the order in which they were added. Memory is 48
/// bytes an element and what the growing of arrays leaves over, and is given back when a large heap has become empty.
///
/// Adding costs O(1) on average for times that are mostly ascending and O(log n) at worst, removing O(log n).
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
    var element: Element?
    /// In the heap; of a free place, -2 less the number of the next free one, and -1 at the last.
    var position: Int32
    var generation: UInt32
  }

  private var nodes: ContiguousArray<Node> = []
  private var places: ContiguousArray<Place> = []
  private var firstFree: Int32 = -1
  private var nextSequence: UInt64 = 0

  var isEmpty: Bool { nodes.isEmpty }
  var count: Int { nodes.count }

  /// When the earliest is due.
  var earliest: Int64? { nodes.first?.due }

  @discardableResult
  mutating func add(_ element: Element, due: Int64) -> Token {
    let place: Int32
    if firstFree >= 0 {
      place = firstFree
      firstFree = -2 - places[Int(place)].position
      places[Int(place)].element = element
      places[Int(place)].generation = UInt32(truncatingIfNeeded: nextSequence)
    } else {
      place = Int32(places.count)
      places.append(
        Place(element: element, position: -1, generation: UInt32(truncatingIfNeeded: nextSequence)))
    }
    let node = Node(due: due, sequence: nextSequence, place: place)
    nextSequence += 1
    nodes.append(node)
    rise(node, from: nodes.count - 1)
    return Token(place: place, generation: UInt32(truncatingIfNeeded: node.sequence))
  }

  /// Takes an element out; nil if it has left already.
  mutating func remove(_ token: Token) -> Element? {
    guard contains(token) else { return nil }
    return take(at: Int(places[Int(token.place)].position))
  }

  /// Takes the earliest element that is due.
  mutating func next(at now: Int64) -> Element? {
    guard let first = nodes.first, first.due <= now else { return nil }
    return take(at: 0)
  }

  func contains(where predicate: (Element) -> Bool) -> Bool {
    nodes.contains { node in places[Int(node.place)].element.map(predicate) ?? false }
  }

  /// Takes out whatever a predicate names. O(n) and, where there is something, O(n log n).
  mutating func removeAll(where isObsolete: (Element) -> Bool) {
    let obsolete = nodes.filter { node in places[Int(node.place)].element.map(isObsolete) ?? false }
    for node in obsolete { _ = take(at: Int(places[Int(node.place)].position)) }
  }

  /// Whether an element has not left yet.
  func contains(_ token: Token) -> Bool {
    Int(token.place) < places.count && places[Int(token.place)].generation == token.generation
      && places[Int(token.place)].position >= 0
  }

  private mutating func take(at position: Int) -> Element? {
    let place = Int(nodes[position].place)
    let element = places[place].element.take()
    places[place].position = -2 - firstFree
    firstFree = Int32(place)
    let last = nodes.removeLast()
    guard position < nodes.count else {
      if nodes.isEmpty, places.count > Self.keptPlaces { giveMemoryBack() }
      return element
    }
    if position > 0, last.comes(before: nodes[(position - 1) >> 2]) {
      rise(last, from: position)
    } else {
      sink(last, from: position)
    }
    return element
  }

  /// How many places an empty heap keeps.
  private static var keptPlaces: Int { 1024 }

  private mutating func giveMemoryBack() {
    nodes = []
    places = []
    firstFree = -1
  }

  private mutating func rise(_ node: Node, from start: Int) {
    var position = start
    while position > 0 {
      let parent = (position - 1) >> 2
      guard node.comes(before: nodes[parent]) else { break }
      put(nodes[parent], at: position)
      position = parent
    }
    put(node, at: position)
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
      put(nodes[smallest], at: position)
      position = smallest
    }
    put(node, at: position)
  }

  @inline(__always)
  private mutating func put(_ node: Node, at position: Int) {
    nodes[position] = node
    places[Int(node.place)].position = Int32(position)
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
}
