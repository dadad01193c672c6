import Foundation
import Synchronization

@testable import TaskKit

// Looks into a center that only tests take.

extension TaskCenter {
  /// Whether a body still runs whose task has ended.
  var hasOverdueBodies: Bool {
    machine.withLock { machine in machine.runs.contains { $0?.state.overdue.isEmpty == false } }
  }

  /// Whether an injection is found sound from what is new alone, and whether the whole graph is.
  func soundness(of definitions: [TaskDefinition], replacing: Bool) -> (plainly: Bool, wholly: Bool) {
    receive { machine in
      let registrations = definitions.map(\.registration)
      let injection = machine.injection(
        of: registrations, modules: registrations.map(\.module), replacing: replacing)
      return (machine.isPlainlySound(injection), machine.problems(of: injection).isEmpty)
    }
  }

  /// How much is kept for tasks, those that have gone included.
  var storedCount: Int {
    receive { machine in
      let tasks = [
        machine.tasks.count, machine.marks.count, machine.statistics.count, machine.numbers.retiredCount,
        machine.directory?.storedCount ?? 0, machine.links?.storedCount ?? 0, machine.moduleMethods.count,
      ]
      let events = machine.events.map(\.members.storedCount) + [machine.events.count, machine.sequences.count]
      let schedules = [
        machine.schedules.states.count, machine.schedules.continuous.count, machine.schedules.suspending.count,
      ]
      let runs = [
        machine.runs.count, machine.slotsOfRuns.count, machine.awaiting.storedCount, machine.companionWaits.all.count,
        machine.unclaimed.count, machine.lingering.count, machine.predecessors.count,
        machine.heldBack.count, machine.outputWaiters.count, machine.destructionWaiters.count,
      ]
      let lanes = machine.lanes.count + machine.closedLanes.values.reduce(0) { $0 + $1.count }
      return (tasks + events + schedules + runs).reduce(lanes, +)
    }
  }

  /// When the next timer is due; nil when there is none.
  var nextTimer: Int64? { machine.withLock { $0.timers.earliest } }

  /// Cancels the occurrence of an event that is going, as somebody does who has not read the clock because nobody had wanted
  /// to know what time it is, and is heard later.
  func cancelWithoutTime(_ event: String) {
    receive { machine in
      guard let active = machine.eventNumbers[event].flatMap({ machine.events[$0].active }) else { return }
      machine.cancel(run: active.id, now: 0)
    }
  }

  /// Looks at the clocks as somebody does who has read them when a time had passed, and is heard now.
  ///
  /// - Parameters:
  ///   - beginning: when that time began, by the calendar's clock.
  ///   - fires: whether what is due by then is used.
  func look(after seconds: Int64, since beginning: Date, in zone: TimeZone, fires: Bool) {
    let passed = seconds * 1_000_000_000
    let instants = Instants(
      continuous: passed, suspending: passed, wall: beginning.nanosecondsSince1970 + passed, zone: zone, chance: 0)
    receive { if fires { $0.alarm(at: instants) } else { $0.lookAtClock(instants) } }
  }

  /// How many bodies count against the limit.
  var usedSlots: Int { machine.withLock { $0.used } }

  /// Returns when no run and no worker is left: a worker leaves a moment after its last body has returned.
  func quiet() async {
    while machine.withLock({ machine in machine.walkedEvent >= 0 || machine.runs.contains { $0 != nil } }) {
      await Task.yield()
    }
  }

  /// How many places there are for workers of the runs that are going, those of workers that have left included.
  var workerPlaces: Int { machine.withLock { machine in machine.runs.reduce(0) { $0 + ($1?.workers.count ?? 0) } } }

  /// How many parts of bodies wait for a slot that their body has lent.
  var reclaimingCount: Int {
    machine.withLock { machine in
      machine.runs.reduce(0) { $0 + ($1?.workers.reduce(0) { $0 + ($1.loan?.reclaiming.count ?? 0) } ?? 0) }
    }
  }

  /// How many lanes something is kept of.
  var knownLanes: Int { machine.withLock { $0.lanes.count } }

  /// How many events something is kept of.
  var knownEvents: Int { machine.withLock { $0.events.count - $0.freeEvents.count } }

  /// Tells the center that a sequence has failed, as an iteration may that has not heard yet that it is cancelled.
  func sequenceFails(of task: TaskName, _ error: any Error) throws {
    try receive { machine in
      let number = try machine.find(task)
      let name = machine.tasks[Int(number)].registration.occasions[0].event.name
      guard let event = machine.knownNumber(of: name) else { return }
      guard let entry = machine.events[event].members.first(in: machine.tasks) else { return }
      machine.sequenceEnded(entry, .failed(error), words: "\(error)", now: 0)
    }
  }

  /// How many wait until nothing runs and nothing is due.
  var quietWaiters: Int { machine.withLock { $0.settleWaiters.count } }

  /// How many sends of an event wait their turn.
  func queueLength(of event: String) -> Int {
    machine.withLock { machine in machine.eventNumbers[event].map { machine.events[$0].queue.count } ?? 0 }
  }

  /// Whether a task could start and waits for a slot.
  var hasReady: Bool { machine.withLock { machine in machine.runs.contains { $0?.state.hasReady == true } } }

  /// Whether somebody waits for the end of a destroyed task's body.
  var hasDestructionWaiters: Bool { machine.withLock { !$0.destructionWaiters.isEmpty } }

  /// Whether somebody waits for the output of a task.
  var hasOutputWaiters: Bool { machine.withLock { !$0.outputWaiters.isEmpty } }

  /// Whether the latest occurrence of an event said that a second worker would not pay.
  func isTiny(_ event: String) -> Bool? {
    machine.withLock { machine in machine.eventNumbers[event].map { machine.events[$0].isTiny } }
  }

  /// Whether somebody waits until a lane comes to rest.
  func isAwaited(_ lane: Lane) -> Bool { machine.withLock { $0.lanes[lane]?.idleWaiters.isEmpty == false } }

  /// How many conditions of lanes are asked now.
  var askedConditionCount: Int { conditions.withLock { $0.count } }

  /// How many tasks could start but for their lane.
  func parkedCount(in lane: Lane) -> Int {
    machine.withLock { machine in
      guard let state = machine.lanes[lane] else { return 0 }
      return state.parkedCount + state.live.filter { $0.standing == .parked }.count
    }
  }

  /// Whether somebody waits for the urgent tasks of a run that is going.
  var hasReadyWaiters: Bool {
    machine.withLock { machine in machine.runs.contains { $0?.readyWaiters.isEmpty == false } }
  }

  /// Whether somebody waits for the urgent tasks of a run that waits its turn.
  var hasReadyWaitersOfQueued: Bool { machine.withLock { !$0.readyWaitersOfQueued.isEmpty } }

  /// How many wait for the report of a send that waits its turn.
  var reportWaitersOfQueued: Int {
    machine.withLock { machine in machine.queued.keys.reduce(0) { $0 + (machine.reportWaiters[$1]?.count ?? 0) } }
  }

  /// How many reports are kept for somebody.
  var unclaimedReports: Int { machine.withLock { $0.unclaimed.count } }

  /// How many runs are going.
  var activeRuns: Int { machine.withLock { machine in machine.runs.count { $0 != nil } } }

  /// Whether an observer waits for what comes next.
  var hasWaitingObserver: Bool { machine.withLock { $0.observers.hasWaiters } }

  /// Whether somebody observes.
  var hasObservers: Bool { machine.withLock { !$0.observers.isEmpty } }

  /// What is wrong about the state between two inputs, once nothing is on its way any more; nil as long as something is.
  ///
  /// - Parameters:
  ///   - asleep: how many bodies wait for a test; all others return by themselves.
  ///   - now: what the clock shows.
  func contradictions(asleep: () -> Int, at now: Duration) -> [String]? {
    machine.withLock { machine in
      let runs = machine.runs.compactMap(\.self)
      let workers = runs.flatMap(\.workers).filter { $0.stage != .left }
      guard machine.walkedEvent < 0, runs.allSatisfy({ $0.pendingWorkers == 0 }),
        workers.allSatisfy({ if case .running = $0.stage { true } else { false } }), workers.count == asleep(),
        machine.earliestAlarm.map({ .nanoseconds($0) > now }) ?? true
      else { return nil }
      var found: [String] = []
      var running = 0
      for run in runs {
        let status = (0..<run.state.plan.count).map { run.state.status[$0] }
        running += status.count { $0 == .running }
        if run.state.unended != status.count(where: { !$0.hasEnded }) { found.append("tasks are counted as ended") }
        if run.state.unended == 0, !run.isConcluded { found.append("a run has ended and is not over") }
        if run.state.hasReady, machine.used < machine.limit { found.append("a task could start and does not") }
      }
      if machine.isLimited, machine.used != running || running > machine.limit { found.append("slots are miscounted") }
      if machine.events.contains(where: { $0.active == nil && !$0.queue.isEmpty }) { found.append("a send is stuck") }
      return found
    }
  }

  /// How many are noted to wait for tasks of other occurrences, and for bodies of destroyed tasks.
  var waitingElsewhere: Int {
    machine.withLock { machine in
      let dependents = machine.runs.compactMap(\.self).flatMap { $0.state.externalDependents.values }
      return dependents.reduce(0) { $0 + $1.elements.count }
        + machine.heldBack.values.reduce(0) { $0 + $1.elements.count }
    }
  }

  /// What is kept of runs when none is left.
  var leftOfRuns: Int {
    machine.withLock { machine in
      let held = machine.heldBack.count + machine.predecessors.count + machine.lingering.count
      let waiting = machine.queued.count + machine.reportWaiters.count + machine.awaiting.storedCount
      let marks = machine.marks.count { $0.contains(.runningOnce) && !$0.contains(.destroyed) }
      return held + waiting + marks + machine.used + machine.goingCount
    }
  }
}
