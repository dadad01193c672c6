/// Entries that come to be of no use at times when nobody looks for them.
struct SweptList<Element> {
  private(set) var elements: [Element] = []
  private var sweepAt = 16

  /// Adds an entry, O(1) on average.
  ///
  /// - Parameter isUsed: asked of all entries when there are twice as many as after the last time; the others go.
  mutating func append(_ element: Element, where isUsed: (Element) -> Bool) {
    if elements.count >= sweepAt {
      elements.removeAll { !isUsed($0) }
      sweepAt = max(16, 2 * elements.count)
    }
    elements.append(element)
  }
}
