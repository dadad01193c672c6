/// The part of a run's state that every step touches, in memory of its own: reached through a pointer, without
/// counting references and without a check of who else holds it.
///
/// Only ``RunState`` and ``RunRecord`` use it, and only this file allocates.
// Written only under the lock of the center that runs the plan, until the last node has ended; after that only read.
final class RunMemory: @unchecked Sendable {
  /// What changes at every step beside the tables.
  struct Counters {
    /// Nodes without an end.
    var unended: Int
    /// Nodes whose body runs and counts.
    var running = 0
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
  let times: UnsafeMutablePointer<RunRecord.Times>?
  let started: UnsafeMutablePointer<Int32>?

  init(plan: EventPlan, isTimed: Bool) {
    count = plan.count
    let capacity = max(1, count)
    status = .allocate(capacity: capacity)
    status.initialize(repeating: .waiting, count: count)
    missing = .allocate(capacity: capacity)
    missing.initialize(from: plan.prerequisiteCounts.elements, count: count)
    counters = .allocate(capacity: 1)
    counters.initialize(
      to: Counters(
        unended: count,
        readySynchronous: .make(capacity: plan.allForms.contains(.synchronous) ? count : 0),
        readyMain: .make(capacity: plan.allForms.contains(.main) ? count : 0),
        readyAsynchronous: .make(capacity: plan.allForms.contains(.asynchronous) ? count : 0)))
    if isTimed {
      let times = UnsafeMutablePointer<RunRecord.Times>.allocate(capacity: capacity)
      times.initialize(repeating: RunRecord.Times(), count: count)
      self.times = times
      // A node starts once; further attempts are no starts of their own.
      started = .allocate(capacity: capacity)
    } else {
      times = nil
      started = nil
    }
  }

  /// A start that was none after all.
  func forgetStart(of node: Int32) {
    guard let started, let place = (0..<counters.pointee.startedCount).last(where: { started[$0] == node }) else {
      return
    }
    counters.pointee.startedCount -= 1
    for later in place..<counters.pointee.startedCount { started[later] = started[later + 1] }
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
}
