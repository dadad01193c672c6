import Foundation
import Synchronization
import TaskKit

/// What is known in this process of the kinds' schedules.
struct ScheduleWatches {
  struct Watch {
    /// No other one has it: a name may be given to another type while the store is asked for the schedule of the last.
    let number: Int
    var pass = Pass.resting
    /// The look at the next slot; nil where the last one has failed, and is done again after a while.
    var call: ScheduledCall?
    /// The latest slot that has passed, used or not, as far as this process has seen.
    var passed: Date?
    var next: Date?
    var isProblemTold = false
  }

  var byKind: [String: Watch] = [:]
  var isOver = false
  private var count = 0

  mutating func makeWatch() -> Watch {
    count += 1
    return Watch(number: count)
  }

  /// Notes what a look has come to, unless the watch for which it looked is no more.
  ///
  /// - Returns: nil in that case.
  mutating func note<Result>(_ kind: String, watch: Int, _ change: (inout Watch) -> Result) -> Result? {
    guard byKind[kind]?.number == watch else { return nil }
    return change(&byKind[kind]!)
  }
}

/// Durable schedules: an occurrence and its job are one transaction, and the store takes each occurrence once, so of all
/// processes that look at a schedule exactly one fires it.
extension JobEngine {
  func lookAtSchedules() { for kind in kinds.all { lookAtSchedule(of: kind.kind) } }

  /// Writes down the jobs of the occurrences that are due, and comes again for the next: of what the kind is by then, if it is
  /// known.
  func lookAtSchedule(of kind: String) {
    guard let registration = kinds[kind]?.registration, registration.schedule != nil, keeps(registration),
      inspect({ $0.isOpen && $0.phase.letsSchedulesFire })
    else { return }
    let (old, begun) = watches.withLock { watches -> (ScheduledCall?, watch: Int?) in
      guard !watches.isOver else { return (nil, nil) }
      var watch = watches.byKind[kind] ?? watches.makeWatch()
      let begins = watch.pass.begin()
      defer {
        watch.call = nil
        watches.byKind[kind] = watch
      }
      return (watch.call, begins ? watch.number : nil)
    }
    old?.cancel()
    // Ends when the store has answered.
    if let begun { errand { await self.lookNow(atScheduleOf: kind, watch: begun) } }
  }

  /// The clocks were set, or the time zone is another one.
  func clockChanged() {
    // What is due is due by the calendar.
    receive { $0.wakeQueues() }
    lookAtSchedules()
  }

  func forgetSchedule(of kind: String) {
    guard let watch = watches.withLock({ $0.byKind.removeValue(forKey: kind) }) else { return }
    end(watch)
  }

  func endSchedules() {
    let all = watches.withLock { watches in
      watches.isOver = true
      defer { watches.byKind = [:] }
      return Array(watches.byKind.values)
    }
    for watch in all { end(watch) }
  }

  private func end(_ watch: ScheduleWatches.Watch) {
    watch.call?.cancel()
    forgetLook(at: .schedule(watch.number))
  }

  private func lookNow(atScheduleOf kind: String, watch: Int) async {
    var goesOn: Bool?
    repeat {
      let call = await nextLook(atScheduleOf: kind, watch: watch)
      goesOn = watches.withLock { watches in
        watches.note(kind, watch: watch) { watch in
          let goesOn = watch.pass.goOn()
          if !goesOn { watch.call = call }
          return goesOn
        }
      }
      if goesOn != false { call?.cancel() }
    } while goesOn == true
    // It was forgotten meanwhile, and what is noted of it now nobody would take back.
    if goesOn == nil { forgetLook(at: .schedule(watch)) }
  }

  /// Looks once.
  ///
  /// - Returns: the look at the next slot; nil for never, and where this one has failed.
  private func nextLook(atScheduleOf kind: String, watch: Int) async -> ScheduledCall? {
    let next = await look(.schedule(watch), again: { $0.lookAtSchedule(of: kind) }) {
      try await fire(kind, watch: watch)
    }
    return next?.flatMap { next in
      center?.callCompanion(at: next) { [weak self] in self?.lookAtSchedule(of: kind) }
    }
  }

  /// - Returns: when to look again, by the calendar of the center; nil for never.
  private func fire(_ name: String, watch: Int) async throws -> Date? {
    guard let kind = kinds[name]?.registration, let schedule = kind.schedule, let job = kind.scheduledJob, let center
    else { return nil }
    if let problem = schedule.impossibility {
      tellOnce(problem, of: name, watch: watch)
      return nil
    }
    let sight = try await sight(of: kind.kind)
    let (now, record) = (sight.now, sight.record)
    let passed = watches.withLock { $0.note(name, watch: watch) { $0.passed } ?? nil }.map { min($0, now) }
    // A clock that was ahead says nothing about what has passed since.
    let fired = record.latest.map { $0 > now ? passed ?? now : $0 }
    let last = [fired, passed].compactMap(\.self).max()
    var outlook = schedule.outlook(
      begun: record.begun, after: last, used: record.count, at: now, zone: center.timeZone)
    // Whoever pauses a kind does not want its jobs to pile up.
    if sight.isPaused, !outlook.due.isEmpty { outlook.skip() }
    var next = outlook.next
    if !outlook.due.isEmpty {
      let enqueued = try await enqueue(jobs(of: kind, at: outlook.due, job, center))
      let added = enqueued.count { $0.outcome != .kept }
      if next == nil, added < outlook.due.count {
        // A slot that was taken before, as by a clock that was ahead, or whose job cannot be made uses up nothing of the count:
        // the last of it may be still to come.
        let used = try await store.schedule(kind.kind, beginning: now).count
        next =
          schedule.outlook(
            begun: record.begun, after: outlook.passed, used: used, at: now, zone: center.timeZone
          ).next
      }
    }
    if let latest = outlook.latestMissed {
      tell(.slotsMissed(kind: kind.kind, count: outlook.missed, latest: latest))
    }
    watches.withLock { watches in
      _ = watches.note(name, watch: watch) { watch in
        // What a clock began that was ahead counts from the first look: from each one anew, no slot would ever be due.
        watch.passed = outlook.passed ?? last ?? (record.begun > now ? now : nil)
        watch.next = next
      }
    }
    // It may have been the answer alone that was lost: then the jobs are there, and nobody else says so.
    if failures(ofLookAt: .schedule(watch)) > 0 { noteChange() }
    return next.map { $0 - sight.ahead }
  }

  /// What there is to see of a schedule at a time.
  private struct Sight {
    /// What has passed has passed by the clock of the store: others may write the slots of the same schedule, and slots are not left
    /// to how well the clocks of machines agree.
    let now: Date
    /// By how much that is ahead of the calendar of the center.
    let ahead: TimeInterval
    let isPaused: Bool
    let record: ScheduleRecord
  }

  private func sight(of kind: String) async throws -> Sight {
    var sight = try await sightNow(of: kind)
    // Where something has passed since the time was read, as where a pause has ended, all is read once more. What is still to come then
    // a clock has written down that was ahead.
    while let latest = sight.record.latest, latest > sight.now {
      sight = try await sightNow(of: kind)
      if sight.record.latest == latest { break }
    }
    return sight
  }

  private func sightNow(of kind: String) async throws -> Sight {
    let (now, ahead) = try await time()
    // Before what is known of the schedule: where the pause ends in between, that says so.
    let isPaused = try await store.pauses().contains { $0.subject == .kind(kind) }
    let record = try await store.schedule(kind, beginning: now)
    return Sight(now: now, ahead: ahead, isPaused: isPaused, record: record)
  }

  /// The store's time, and by how much it is ahead of the calendar of the center, which still says when to look again.
  func time() async throws -> (now: Date, ahead: TimeInterval) {
    guard let now = try await store.now() else { return (environment.now(), 0) }
    // Not behind what it was when the store was asked: then it would be looked a moment too early.
    return (now, now.timeIntervalSince(environment.now()))
  }

  /// - Returns: none if they cannot be made; then these occurrences are lost, and it is told.
  private func jobs(
    of kind: DurableRegistration, at slots: [Date], _ job: @Sendable () -> any DurableTask, _ center: TaskCenter
  ) -> [NewJob] {
    do {
      return try slots.enumerated().map { place, slot in
        // By the clock of the store, where others may be slow: a slot that has passed is ready at once.
        let jitter = kind.schedule?.jitter(of: kind.kind, host: center.hostName, chance: center.chance) ?? .zero
        var new = try kind.newJob(job(), EnqueueOptions(start: .at(slot + jitter / .seconds(1))))
        new.occurrence = JobOccurrence(schedule: kind.kind, date: slot)
        // What was read of the schedule may be old by now: another process may have used the last one.
        new.occurrenceLimit = kind.schedule?.count
        // What a store would refuse each time has nothing to do with the store, and holds up no later occurrence.
        if let problem = new.problem(at: place, next: .max) {
          throw JobStoreError(.invalid, store: self.name, detail: problem)
        }
        return new
      }
    } catch {
      tell(.scheduleFailed(kind: kind.kind, "\(error)"))
      return []
    }
  }

  private func tellOnce(_ problem: String, of kind: String, watch: Int) {
    let isTold = watches.withLock { watches in
      watches.note(kind, watch: watch) { watch in
        defer { watch.isProblemTold = true }
        return watch.isProblemTold
      }
    }
    if isTold == false { tell(.scheduleFailed(kind: kind, problem)) }
  }
}
