/// A line: the first to come leaves first, and nothing of it stays. Each step costs O(1) on average.
struct Line<Element> {
  private var elements: ContiguousArray<Element?> = []
  /// Those before it have left: nil.
  private var head = 0

  var count: Int { elements.count - head }
  var isEmpty: Bool { head == elements.count }
  var first: Element? { isEmpty ? nil : elements[head] }
  var last: Element? { isEmpty ? nil : elements[elements.count - 1] }

  /// In the order in which they came.
  var all: some Sequence<Element> { elements[head...].lazy.map { $0! } }

  mutating func append(_ element: Element) { elements.append(element) }

  /// Puts another one in the place of the last, of which there has to be one.
  mutating func replaceLast(with element: Element) { elements[elements.count - 1] = element }

  mutating func popFirst() -> Element? {
    guard !isEmpty else { return nil }
    let first = elements[head].take()
    head += 1
    tidyUp()
    return first
  }

  /// Gives back what those who have left took, each time as many have left as are there.
  private mutating func tidyUp() {
    guard head > 16, head >= count else { return }
    elements.removeFirst(head)
    head = 0
  }
}

extension Line where Element: Comparable {
  /// Takes one out of an ascending line: the first one at once, another with a search and the moving of those behind it.
  mutating func remove(_ element: Element) {
    let place = place(of: element)
    guard place < elements.count, elements[place] == element else { return }
    if place == head { _ = popFirst() } else { elements.remove(at: place) }
  }

  /// The first that does not come before an element.
  private func place(of element: Element) -> Int {
    var (low, high) = (head, elements.count)
    while low < high {
      let middle = (low + high) >> 1
      if elements[middle]! < element { low = middle + 1 } else { high = middle }
    }
    return low
  }
}
