/// A table that is filled once and then only read: array elements without the counting of references.
///
/// Reading an array that is stored in a class counts a reference up and down each time, which is more than the rest of
/// a step of the scheduler.
///
/// `@unchecked Sendable`: nothing writes to the memory after `init`, and the memory lives as long as the table.
final class ConstantTable<Element: Sendable>: @unchecked Sendable {
  let count: Int
  let elements: UnsafePointer<Element>

  init(_ source: some Collection<Element>) {
    count = source.count
    let memory = UnsafeMutablePointer<Element>.allocate(capacity: max(1, count))
    var position = 0
    for element in source {
      (memory + position).initialize(to: element)
      position += 1
    }
    elements = UnsafePointer(memory)
  }

  deinit {
    let memory = UnsafeMutablePointer(mutating: elements)
    memory.deinitialize(count: count)
    memory.deallocate()
  }

  subscript(position: Int) -> Element {
    @inline(__always) get {
      assert(position >= 0 && position < count)
      return elements[position]
    }
  }
}
