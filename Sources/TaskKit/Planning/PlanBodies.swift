/// The bodies of a plan, by node. Who walks has a table of its own, so these are taken together when they are needed.
// Filled under the lock of the center, before the first worker that looks is told of its run; never changed after that.
final class PlanBodies: @unchecked Sendable {
  /// Where they come from.
  enum Source {
    /// By node, the occasion of each registration; empty where it is the first of each.
    case registered(PlanRegistrations, occasions: ContiguousArray<Int32>)
    case given(ContiguousArray<TaskBody>)
  }

  private let count: Int
  private let source: Source
  private let elements: UnsafeMutablePointer<TaskBody>
  private var isFilled = false

  init(count: Int, _ source: Source) {
    self.count = count
    self.source = source
    elements = .allocate(capacity: max(1, count))
  }

  deinit {
    if isFilled { elements.deinitialize(count: count) }
    elements.deallocate()
  }

  /// Only what starts a run may call it, under the center's lock.
  func fill() {
    guard !isFilled else { return }
    for node in 0..<count { (elements + node).initialize(to: body(node)) }
    isFilled = true
  }

  /// What a node runs, whether or not the table is there yet.
  func body(_ node: Int) -> TaskBody {
    switch source {
    case .registered(let registrations, let occasions):
      registrations[node].body(at: occasions.isEmpty ? 0 : Int(occasions[node]))
    case .given(let bodies): bodies[node]
    }
  }

  /// - Precondition: the table is filled.
  subscript(node: Int) -> TaskBody {
    @inline(__always) get {
      assert(isFilled && node >= 0 && node < count)
      return elements[node]
    }
  }
}
