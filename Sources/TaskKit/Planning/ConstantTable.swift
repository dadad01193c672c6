/// A table that is filled once and then only read: array elements without the counting of references.
///
/// Reading an array that is stored in a class counts a reference up and down each time, which is more than the rest of
/// a step of the scheduler.
///
/// `@unchecked Sendable`: nothing writes to the memory after `init`, and the memory lives as long as the table.
final class ConstantTable<Element: ~Copyable & Sendable>: @unchecked Sendable {
  let count: Int
  let elements: UnsafePointer<Element>

  /// - Parameter element: what stands at a place; asked for each once, in order.
  @inline(__always)
  init(count: Int, _ element: (Int) -> Element) {
    self.count = count
    let memory = UnsafeMutablePointer<Element>.allocate(capacity: max(1, count))
    for place in 0..<count { (memory + place).initialize(to: element(place)) }
    elements = UnsafePointer(memory)
  }

  /// - Parameter fill: initialises elements from the first one on, and returns how many.
  init(capacity: Int, _ fill: (UnsafeMutablePointer<Element>) -> Int) {
    let memory = UnsafeMutablePointer<Element>.allocate(capacity: max(1, capacity))
    count = fill(memory)
    elements = UnsafePointer(memory)
  }

  deinit {
    let memory = UnsafeMutablePointer(mutating: elements)
    memory.deinitialize(count: count)
    memory.deallocate()
  }
}

extension ConstantTable where Element: Copyable {
  convenience init(_ source: some Collection<Element>) {
    var iterator = source.makeIterator()
    self.init(count: source.count) { _ in
      guard let element = iterator.next() else { preconditionFailure("a collection has less elements than it says") }
      return element
    }
  }

  subscript(position: Int) -> Element {
    @inline(__always) get {
      assert(position >= 0 && position < count)
      return elements[position]
    }
  }
}
