/// A heap: the least comes first. Adding one and taking one out cost O(log n), adding one behind all others O(1).
struct LeastFirst<Element: HeapElement> {
  private var elements: ContiguousArray<Element> = []

  var count: Int { elements.count }
  var first: Element? { elements.first }

  mutating func insert(_ element: Element) {
    elements.append(element)
    rise(element, from: elements.count - 1)
  }

  @discardableResult
  mutating func popFirst() -> Element? { elements.isEmpty ? nil : remove(at: 0) }

  /// Takes out the one that was told last that it stands there. It is not told that it has gone.
  @discardableResult
  mutating func remove(at place: Int) -> Element {
    let element = elements[place]
    let last = elements.removeLast()
    if place < elements.count {
      if last < element { rise(last, from: place) } else { sink(last, from: place) }
    }
    return element
  }

  private mutating func rise(_ element: Element, from start: Int) {
    var place = start
    while place > 0 {
      let parent = (place - 1) >> 1
      guard element < elements[parent] else { break }
      put(elements[parent], at: place)
      place = parent
    }
    put(element, at: place)
  }

  private mutating func sink(_ element: Element, from start: Int) {
    var place = start
    while true {
      var child = 2 * place + 1
      guard child < elements.count else { break }
      if child + 1 < elements.count, elements[child + 1] < elements[child] { child += 1 }
      guard elements[child] < element else { break }
      put(elements[child], at: place)
      place = child
    }
    put(element, at: place)
  }

  private mutating func put(_ element: Element, at place: Int) {
    elements[place] = element
    element.stands(at: place)
  }
}

/// What stands in a ``LeastFirst``.
protocol HeapElement: Comparable {
  /// It has come to stand there. Only who is taken out before it comes first needs to know.
  func stands(at place: Int)
}

extension HeapElement {
  func stands(at place: Int) {}
}
