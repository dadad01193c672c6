/// A heap: the least comes first. Adding one and taking the first cost O(log n), adding one behind all others O(1).
struct LeastFirst<Element: Comparable> {
  private var elements: ContiguousArray<Element> = []

  var count: Int { elements.count }
  var first: Element? { elements.first }

  mutating func insert(_ element: Element) {
    elements.append(element)
    var place = elements.count - 1
    while place > 0 {
      let parent = (place - 1) >> 1
      guard element < elements[parent] else { break }
      elements.swapAt(place, parent)
      place = parent
    }
  }

  @discardableResult
  mutating func popFirst() -> Element? {
    guard let first = elements.first else { return nil }
    elements.swapAt(0, elements.count - 1)
    elements.removeLast()
    var place = 0
    while true {
      var child = 2 * place + 1
      guard child < elements.count else { break }
      if child + 1 < elements.count, elements[child + 1] < elements[child] { child += 1 }
      guard elements[child] < elements[place] else { break }
      elements.swapAt(place, child)
      place = child
    }
    return first
  }
}
