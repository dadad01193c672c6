import Foundation
import Synchronization
import TaskKit

/// What is known in this process of the kinds' schedules.
struct ScheduleWatches {
  struct Watch {
    var isLooking = false
    var mustLookAgain = false
    /// The next look.
    var call: ScheduledCall?
    /// The latest slot that has passed, used or not, as far as this process has seen.
    var passed: Date?
    var next: Date?
    /// How often in a row the store could not say or take something.
    var failures = 0
    var isProblemTold = false
  }

  var byKind: [String: Watch] = [:]
  var isOver = false
}

/// Durable schedules: an occurrence and its job are one transaction, and the store takes each occurrence once, so of all
/// processes that look at a schedule exactly one fires it.
extension JobEngine {
  func lookAtSchedules() { for kind in kinds.all { look(at: kind) } }

  /// Writes down the jobs of the occurrences that are due, and comes again for the next.
  func look(at kind: DurableRegistration) {
    guard kind.schedule != nil, keeps(kind), inspect({ $0.opening == .done && $0.phase.letsSchedulesFire }) else {
      return
    }
    let (old, begins) = watches.withLock { watches -> (ScheduledCall?, Bool) in
      guard !watches.isOver else { return (nil, false) }
      var watch = watches.byKind[kind.kind] ?? ScheduleWatches.Watch()
      defer {
        watch.mustLookAgain = watch.isLooking
        watch.isLooking = true
        watch.call = nil
        watches.byKind[kind.kind] = watch
      }
      return (watch.call, !watch.isLooking)
    }
    old?.cancel()
    // Ends when the store has answered.
    if begins { errand { await self.lookNow(at: kind) } }
  }

  /// The clocks were set, or the time zone is another one.
  func clockChanged() {
    // What is due is due by the calendar.
    receive { $0.wakeQueues() }
    lookAtSchedules()
  }

  func forgetSchedule(of kind: String) {
    watches.withLock { $0.byKind.removeValue(forKey: kind) }?.call?.cancel()
  }

  func endSchedules() {
    let calls = watches.withLock { watches in
      watches.isOver = true
      defer { watches.byKind = [:] }
      return watches.byKind.values.compactMap(\.call)
    }
    for call in calls { call.cancel() }
  }

  private func lookNow(at kind: DurableRegistration) async {
    var mustLookAgain = true
    while mustLookAgain {
      let call: ScheduledCall?
      do {
        call = try await fire(kind).flatMap { next in
          center?.at(next) { [weak self] in self?.look(at: kind) }
        }
      } catch {
        let failures = watches.withLock { watches in
          watches.byKind[kind.kind]?.failures += 1
          return watches.byKind[kind.kind]?.failures ?? 1
        }
        let delay = JobMachine.storeDelay(after: failures)
        call = self.call(after: spread(delay)) { $0.look(at: kind) }
        tell(.storeFailed("\(error)", retryAfter: delay))
      }
      let isWanted = watches.withLock { watches -> Bool in
        guard !watches.isOver, watches.byKind[kind.kind] != nil else {
          mustLookAgain = false
          return false
        }
        mustLookAgain = watches.byKind[kind.kind]!.mustLookAgain
        watches.byKind[kind.kind]!.mustLookAgain = false
        watches.byKind[kind.kind]!.isLooking = mustLookAgain
        if !mustLookAgain { watches.byKind[kind.kind]!.call = call }
        return !mustLookAgain
      }
      if !isWanted { call?.cancel() }
    }
  }

  /// - Returns: when to look again; nil for never.
  private func fire(_ kind: DurableRegistration) async throws -> Date? {
    guard let schedule = kind.schedule, let job = kind.scheduledJob, let center, kinds[kind.kind] != nil else {
      return nil
    }
    if let problem = schedule.impossibility {
      tellOnce(problem, of: kind)
      return nil
    }
    let now = environment.now()
    let record = try await store.schedule(kind.kind, beginning: now)
    let passed = watches.withLock { $0.byKind[kind.kind]?.passed }.map { min($0, now) }
    // What was fired by a clock that was ahead says nothing about what has passed since.
    let fired = record.latest.map { $0 > now ? passed ?? now : $0 }
    let last = [fired, passed].compactMap(\.self).max()
    var outlook = schedule.outlook(
      begun: record.begun, after: last, used: record.count, at: now, zone: center.timeZone)
    // Whoever pauses a kind does not want its jobs to pile up.
    if !outlook.due.isEmpty, try await store.pauses().contains(where: { $0.subject == .kind(kind.kind) }) {
      outlook.skip()
    }
    if !outlook.due.isEmpty { try await enqueue(jobs(of: kind, at: outlook.due, job, center)) }
    if let latest = outlook.latestMissed {
      tell(.slotsMissed(kind: kind.kind, count: outlook.missed, latest: latest))
    }
    watches.withLock { watches in
      watches.byKind[kind.kind]?.failures = 0
      watches.byKind[kind.kind]?.passed = outlook.passed ?? last
      watches.byKind[kind.kind]?.next = outlook.next
    }
    return outlook.next
  }

  /// - Returns: none if they cannot be made; then these occurrences are lost, and it is told.
  private func jobs(
    of kind: DurableRegistration, at slots: [Date], _ job: @Sendable () -> any DurableTask, _ center: TaskCenter
  ) -> [NewJob] {
    do {
      return try slots.map { slot in
        // By the clock of the store, where others may be slow: a slot that has passed is ready at once.
        let jitter = kind.schedule?.jitter(of: kind.kind, host: center.hostName, chance: center.chance) ?? .zero
        var new = try kind.newJob(job(), EnqueueOptions(start: .at(slot + jitter / .seconds(1))))
        new.occurrence = JobOccurrence(schedule: kind.kind, date: slot)
        // What was read of the schedule may be old by now: another process may have used the last one.
        new.occurrenceLimit = kind.schedule?.count
        return new
      }
    } catch {
      tell(.scheduleFailed(kind: kind.kind, "\(error)"))
      return []
    }
  }

  private func tellOnce(_ problem: String, of kind: DurableRegistration) {
    let isTold = watches.withLock { watches in
      defer { watches.byKind[kind.kind]?.isProblemTold = true }
      return watches.byKind[kind.kind]?.isProblemTold ?? true
    }
    if !isTold { tell(.scheduleFailed(kind: kind.kind, problem)) }
  }
}

extension JobMachine.Phase {
  /// Occurrences are written down while the workers are stopped, as other jobs are.
  var letsSchedulesFire: Bool { self == .running || self == .stopping || self == .stopped }
}
