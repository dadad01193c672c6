import Foundation

extension JobLedger {
  /// - Returns: what makes no sense, and nothing has happened; or what has become of the jobs.
  mutating func enqueue(_ jobs: [NewJob], owner: Int, now: StoreTime) -> Result<[EnqueuedJob], InvalidJob> {
    for (place, job) in jobs.enumerated() {
      if let problem = job.problem(at: place, next: nextJob) { return .failure(InvalidJob(text: problem)) }
    }
    let first = JobID(rawValue: nextJob)
    var done: [EnqueuedJob] = []
    for job in jobs {
      done.append(enqueue(job, batch: done, from: first, owner: owner, now: now))
    }
    return .success(done)
  }

  struct InvalidJob: Error {
    let text: String
  }

  /// - Parameters:
  ///   - batch: what has become of the jobs of the same call that come before it.
  ///   - first: the id of the first job that the call writes.
  private mutating func enqueue(
    _ job: NewJob, batch: [EnqueuedJob], from first: JobID, owner: Int, now: StoreTime
  ) -> EnqueuedJob {
    if let occurrence = job.occurrence, let schedule = schedules[occurrence.schedule],
      let old = schedule.job(at: StoreTime(occurrence.date)) ?? schedule.lastJob(of: job.occurrenceLimit)
    {
      return EnqueuedJob(id: old, outcome: .kept)
    }
    var outcome = EnqueuedJob.Outcome.added
    var told: [AttemptToken] = []
    var edges: [LedgerEntry.Edge] = []
    if let unique = job.unique {
      let (unfinished, ended) = holders(of: unique.key, now: now)
      switch unique.conflict {
      case .keep:
        if let old = unfinished.last ?? ended {
          if let occurrence = job.occurrence { take(occurrence, for: old) }
          return EnqueuedJob(id: old, outcome: .kept)
        }
      case .replace:
        for id in unfinished { cancel(id, .cancelled, isReplaced: true, owner: owner, told: &told, now: now) }
        if !unfinished.isEmpty { outcome = .replaced(unfinished) }
      case .append:
        if let last = unfinished.last { edges.append(.init(parent: last, isOrder: true, status: .open)) }
      }
    }
    let id = JobID(rawValue: nextJob)
    nextJob += 1
    var failed: JobID?
    for parent in Self.ids(of: job.parents, batch) {
      // Of the others none is there twice: only the edge of its key, the first one, may be there already.
      if edges.first?.parent == parent {
        edges[0] = .init(parent: parent, isOrder: false, status: .open)
        continue
      }
      switch entries[parent]?.state {
      case .dead, .cancelled:
        failed = failed ?? parent
        edges.append(.init(parent: parent, isOrder: false, status: .ended(nil)))
      case .finished: edges.append(.init(parent: parent, isOrder: false, status: .ended(entries[parent]?.result)))
      case nil:
        // Nothing has succeeded yet of what the same call has written: what is gone of it was cancelled and not kept.
        if parent >= first { failed = failed ?? parent }
        edges.append(.init(parent: parent, isOrder: false, status: .ended(nil)))
      default: edges.append(.init(parent: parent, isOrder: false, status: .open))
      }
    }
    let entry = LedgerEntry(id: id, new: job, edges: edges, now: now)
    for edge in edges where edge.isOpen || hasFailed(edge) { children[edge.parent, default: []].insert(id) }
    if let unique = job.unique {
      claims[unique.key, default: []].append(Claim(job: id, until: unique.period.map { now + $0 }))
    }
    if let occurrence = job.occurrence { take(occurrence, for: id) }
    enter(entry)
    entries[id] = entry
    makeReady(id, due: entry.due, now: now)
    if let failed {
      switch job.parentFailure {
      case .cancel: end(id, .cancelled, now: now)
      case .hold: hold(id, .parentFailed(failed))
      case .run: break
      }
    }
    return EnqueuedJob(id: id, outcome: outcome, cancelled: told.sorted())
  }

  private mutating func take(_ occurrence: JobOccurrence, for id: JobID) {
    let time = StoreTime(occurrence.date)
    schedules[occurrence.schedule, default: Schedule(begun: time)].take(time, for: id)
  }

  mutating func schedule(_ name: String, beginning date: Date, now: StoreTime) -> ScheduleRecord {
    let schedule = schedules[name] ?? Schedule(begun: StoreTime(date))
    schedules[name] = schedule
    var record = schedule.record
    if let latest = schedule.latest, latest > now {
      // A clock that was ahead has written it down.
      record.latest = schedule.jobs.keys.filter { $0 <= now }.max()?.date
    }
    return record
  }

  /// Each parent once, in the order in which they are named.
  private static func ids(of parents: [NewJob.Parent], _ batch: [EnqueuedJob]) -> [JobID] {
    var seen: Set<JobID> = []
    return parents.compactMap { parent in
      let id =
        switch parent {
        case .job(let id): id
        case .inBatch(let place): batch[place].id
        }
      return seen.insert(id).inserted ? id : nil
    }
  }
}

extension JobLedger.Schedule {
  /// What the store says of it.
  var record: ScheduleRecord { ScheduleRecord(begun: begun.date, latest: latest?.date, count: count) }

  /// The job that an occurrence was taken for; nil for one that is free.
  func job(at time: StoreTime) -> JobID? {
    if let known = jobs[time] { return JobID(rawValue: abs(known.rawValue)) }
    guard let next = jobs.keys.filter({ $0 > time }).min(), let job = jobs[next], job.rawValue < 0 else { return nil }
    return JobID(rawValue: -job.rawValue)
  }

  /// That of the latest occurrence where so many were taken; nil where another one may be.
  func lastJob(of limit: Int?) -> JobID? {
    guard let limit, count >= limit, let last = jobs.max(by: { $0.key < $1.key })?.value else { return nil }
    return JobID(rawValue: abs(last.rawValue))
  }

  mutating func take(_ time: StoreTime, for id: JobID) {
    jobs[time] = id
    latest = max(latest ?? time, time)
    count += 1
    if count.isMultiple(of: OccurrenceMemory.interval) { putTogether() }
  }

  private mutating func putTogether() {
    let times = jobs.keys.sorted()
    let old = times.dropLast(OccurrenceMemory.single)
    /// How long it is from the one before; nil for what closes a row, before which there is no gap.
    func gap(before place: Int) -> Int64? {
      jobs[times[place]]!.rawValue > 0 ? times[place].microseconds - times[place - 1].microseconds : nil
    }
    for place in old.indices.dropFirst() {
      let behind = times.indices[(place + 1)...].prefix(OccurrenceMemory.compared)
      guard let own = gap(before: place), let longest = behind.compactMap({ gap(before: $0) }).max(), own <= longest
      else { continue }
      jobs[times[place]] = JobID(rawValue: -jobs[times[place]]!.rawValue)
    }
    // One that another one follows in the same row says nothing that the other does not.
    for (time, next) in zip(old, old.dropFirst()) where jobs[time]!.rawValue < 0 && jobs[next]!.rawValue < 0 {
      jobs[time] = nil
    }
  }
}
