/// The part of a run's state that every step touches, in memory of its own: reached through a pointer, without
/// counting references and without a check of who else holds it.
///
/// Only ``RunState`` and the short step use it, and only this file allocates.
// Written only under the lock of the center that runs the plan, until the last node has ended; after that only read.
final class RunMemory: @unchecked Sendable {
  /// What changes at every step beside the tables.
  struct Counters {
    /// Nodes without an end.
    var unended: Int
    /// Nodes whose body runs and counts.
    var running = 0
    /// Whether the end of a node concerns nobody outside the run, and every node is synchronous and asks for nothing.
    var isShort: Bool
    /// Whether a second worker is not worth its start.
    var isTiny = false
    var readySynchronous: ReadySet
    var readyMain: ReadySet
    var readyAsynchronous: ReadySet
    var startedCount = 0
  }

  let count: Int
  let status: UnsafeMutablePointer<NodeStatus>
  /// By node: how many prerequisites have not ended.
  let missing: UnsafeMutablePointer<Int32>
  let counters: UnsafeMutablePointer<Counters>
  /// By node, and nodes in the order of their starts; only of a timed run.
  let times: UnsafeMutablePointer<RunState.Times>?
  let started: UnsafeMutablePointer<Int32>?
  /// Of the plan, which this keeps alive.
  let offsets: UnsafePointer<Int32>
  let dependents: UnsafePointer<Int32>
  let bodies: UnsafePointer<TaskBody>
  private let plan: EventPlan

  init(plan: EventPlan, isTimed: Bool) {
    self.plan = plan
    count = plan.count
    offsets = plan.dependentOffsets.elements
    dependents = plan.dependents.elements
    bodies = plan.bodies.elements
    let capacity = max(1, count)
    status = .allocate(capacity: capacity)
    status.initialize(repeating: .waiting, count: count)
    missing = .allocate(capacity: capacity)
    missing.initialize(from: plan.prerequisiteCounts.elements, count: count)
    counters = .allocate(capacity: 1)
    counters.initialize(
      to: Counters(
        unended: count, isShort: plan.isPlain && !plan.hasForm.main && !plan.hasForm.asynchronous,
        readySynchronous: .make(capacity: plan.hasForm.synchronous ? count : 0),
        readyMain: .make(capacity: plan.hasForm.main ? count : 0),
        readyAsynchronous: .make(capacity: plan.hasForm.asynchronous ? count : 0)))
    if isTimed {
      let times = UnsafeMutablePointer<RunState.Times>.allocate(capacity: capacity)
      times.initialize(repeating: RunState.Times(), count: count)
      self.times = times
      // A node starts once; further attempts are no starts of their own.
      started = .allocate(capacity: capacity)
    } else {
      times = nil
      started = nil
    }
  }

  deinit {
    counters.pointee.readySynchronous.deallocate()
    counters.pointee.readyMain.deallocate()
    counters.pointee.readyAsynchronous.deallocate()
    // Everything in this memory is trivial: there is nothing to deinitialise.
    counters.deallocate()
    status.deallocate()
    missing.deallocate()
    times?.deallocate()
    started?.deallocate()
  }

  /// Ends a node that succeeded without an output and starts the next synchronous one: what ``RunState`` does for
  /// nodes of a short run, in one pass.
  ///
  /// - Returns: the next node, or -1 if none is ready.
  @inline(__always)
  func advance(from node: Int32, now: Int64) -> Int32 {
    let counters = counters
    status[Int(node)] = .succeeded
    counters.pointee.unended &-= 1
    times?[Int(node)].ended = now
    var position = Int(offsets[Int(node)])
    let end = Int(offsets[Int(node) + 1])
    while position < end {
      let dependent = Int(dependents[position])
      let left = missing[dependent] &- 1
      missing[dependent] = left
      if left == 0, status[dependent] == .waiting {
        status[dependent] = .ready
        counters.pointee.readySynchronous.insert(Int32(truncatingIfNeeded: dependent))
        if let times {
          times[dependent].ready = now
          times[dependent].readiedBy = node
        }
      }
      position &+= 1
    }
    let next = counters.pointee.readySynchronous.popFirst()
    guard next >= 0 else {
      counters.pointee.running &-= 1
      return -1
    }
    status[Int(next)] = .running
    if let times, let started {
      started[counters.pointee.startedCount] = next
      counters.pointee.startedCount &+= 1
      times[Int(next)].start(at: now, freedBy: node)
    }
    return next
  }
}
