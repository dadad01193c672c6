#if Durable
import Foundation
import GRDB

extension SQLiteTransaction {
  /// Ends an attempt that succeeded.
  ///
  /// - Returns: whether the attempt held the job.
  func succeed(_ key: AttemptKey, result: Data?) throws -> Bool {
    guard let job = try job(key.job), job.attempt?.token == key.token else { return false }
    try end(job, .finished, result: result)
    return true
  }

  /// Ends attempts that succeeded, where nothing is to be kept and nobody waits, as is nearly always so: all that there is
  /// of a job goes with two rows, and those of jobs whose ids follow each other go at once.
  ///
  /// - Parameters:
  ///   - keys: in the order of the jobs' ids, which follow each other.
  ///   - ended: told the places of those that have been ended. The others have to be looked at one by one.
  func endPlainly(_ keys: ArraySlice<AttemptKey>, _ ended: (Int) -> Void) throws {
    guard let first = keys.first, let last = keys.last, !caches.isDamaged else { return }
    // Where no job waits for another, it need not be looked for who waits for these.
    var ending = try step(haveEdges() ? .endingAmongEdges : .ending)
    ending.bind(first.job.rawValue...last.job.rawValue)
    let found = try ending.list { row in
      (
        id: row.integer(0), token: row.integer(1), queue: row.integer(2), kind: row.integer(3),
        isPlain: !row.isNull(4) && row.integer(4) <= 0 && row.integer(5) == 0
      )
    }
    let running = JobState.running.number
    var run: ClosedRange<Int64>?
    for job in found {
      let place = keys.startIndex + Int(job.id - first.job.rawValue)
      guard job.isPlain, job.token == keys[place].token.rawValue else { continue }
      pending.counts.add(-1, to: CountKey(queue: job.queue, kind: job.kind, state: running))
      ended(place)
      if let ids = run, ids.upperBound + 1 == job.id {
        run = ids.lowerBound...job.id
      } else {
        if let run { try endRun(run) }
        run = job.id...job.id
      }
    }
    if let run { try endRun(run) }
  }

  private func endRun(_ ids: ClosedRange<Int64>) throws {
    try run(.endRunning, ids)
    try run(.endJobs, ids)
  }

  /// Ends a job, and does with its children what they ask for.
  ///
  /// - Parameters:
  ///   - first: the job.
  ///   - state: a final one; nil for no trace.
  ///   - result: what its children get.
  ///   - isReplaced: whether another one does its work.
  func end(_ first: SQLiteJob, _ state: JobState?, result: Data? = nil, isReplaced: Bool = false) throws {
    // A list instead of recursion: chains may be long.
    var ending: [JobID] = []
    var next: (SQLiteJob, JobState?)? = (first, state)
    while let (job, state) = next {
      let wasUnfinished = !job.state.isFinal
      let key = wasUnfinished && job.flags.contains(.parents) ? job.uniqueKey : nil
      let before = try key.map { try jobsBefore(job.id, of: $0) } ?? []
      let isDone = state == .finished || isReplaced && job.id == first.id
      try finish(
        job, state, keep: isDone ? job.keepFinished : job.keepFailed, result: state == .finished ? result : nil)
      if wasUnfinished {
        ending += try childrenThatEnd(with: job.id, state, result: result) { $0.uniqueKey == key ? before : [] }
      }
      next = nil
      while next == nil, let id = ending.popLast() {
        if let child = try soundJob(id), !child.state.isFinal { next = (child, .cancelled) }
      }
    }
  }

  /// Ends what is left of a job that was lost with a part of the file: for those who wait for it it has died.
  ///
  /// Of several the last one comes first: what it waited for may have been lost as well, and hands on then what came before that.
  func endLost(_ parent: JobID) throws {
    let ending = try childrenThatEnd(with: parent, nil, result: nil) { child in
      // Its own key is lost with it; what it waited for comes before each child whose key that has.
      try child.uniqueKey.map { try jobsBefore(parent, of: $0) } ?? []
    }
    for id in ending.reversed() {
      if let child = try soundJob(id), !child.state.isFinal { try end(child, .cancelled) }
    }
  }

  /// The jobs of a key that a job still waits for, be it for the order or as for any parent.
  private func jobsBefore(_ job: JobID, of key: String) throws -> [Int64] {
    try db.list(
      """
      SELECT e.parent FROM taskkit_edge e
      WHERE e.child = ? AND e.is_open AND EXISTS (SELECT 1 FROM taskkit_key k WHERE k.key = ? AND k.id = e.parent)
      ORDER BY e.place
      """, job.rawValue, key
    ) { $0[0] }
  }

  /// Tells the children of a job that it has ended.
  ///
  /// - Parameter before: the jobs of a child's key that the parent itself still waited for, where it is its own as well: they come
  ///   before the child, too.
  /// - Returns: those that are cancelled for it, the first one last.
  private func childrenThatEnd(
    with parent: JobID, _ state: JobState?, result: Data?, before: (_ child: SQLiteJob) throws -> [Int64]
  ) throws -> [JobID] {
    guard try haveEdges() else { return [] }
    let children = try db.list(
      "SELECT child, is_order FROM taskkit_edge WHERE parent = ? AND is_open ORDER BY child DESC", parent.rawValue
    ) { (JobID(rawValue: $0[0]), isOrder: $0[1] as Bool) }
    guard !children.isEmpty else { return [] }
    try db.run(
      "UPDATE taskkit_edge SET is_open = 0, result = ? WHERE parent = ? AND is_open",
      state == .finished ? result : nil, parent.rawValue)
    return try children.compactMap { id, isOrder in
      guard let child = try soundJob(id) else { return nil }
      for earlier in try child.state.isFinal ? [] : before(child) {
        try db.run(
          """
          INSERT OR IGNORE INTO taskkit_edge (parent, child, place, is_order, is_open)
          VALUES (?, ?, (SELECT coalesce(max(max(place, ~place)), 0) + 1 FROM taskkit_edge WHERE child = ?), 1, 1)
          """, earlier, id.rawValue, id.rawValue)
      }
      return try parentEnded(parent, state, isOrder: isOrder, child: child) ? id : nil
    }
  }

  /// - Returns: whether the child ends as well.
  private func parentEnded(_ parent: JobID, _ state: JobState?, isOrder: Bool, child: SQLiteJob) throws -> Bool {
    guard !child.state.isFinal else { return false }
    var child = child
    if state != .finished, !isOrder {
      switch child.parentFailure {
      case .cancel: return true
      case .hold:
        if child.state == .waiting {
          try hold(&child, .parentFailed(parent))
        } else if child.hold?.isAsked == true {
          // Known from the edge alone, by the complement of its place: the parent may be gone when the child is released.
          try db.run(
            "UPDATE taskkit_edge SET place = ~place WHERE parent = ? AND child = ? AND place >= 0", parent.rawValue,
            child.id.rawValue)
        }
        return false
      case .run: break
      }
    }
    if child.state == .waiting { try makeReady(&child, due: child.due) }
    return false
  }

  private func finish(_ job: SQLiteJob, _ state: JobState?, keep: Int64?, result: Data?) throws {
    mustBeFlushed = true
    try releaseKey(of: job)
    let isKept = state != nil && keep.map { $0 > 0 } ?? true
    guard isKept || caches.isDamaged else {
      try leave(job)
      return try forget(job)
    }
    var job = job
    // Where nothing is deleted for a damaged page it is as if it had been kept long enough.
    try move(&job, to: state ?? .cancelled) { job in
      job.result = result
      job.ended = now
      job.expiry = isKept ? keep.map { now + .microseconds($0) } : now
    }
  }

  /// Deletes every trace of a job but its key.
  func forget(_ job: SQLiteJob) throws {
    let id = job.id.rawValue
    try run(.deleteJob, id)
    if job.isChanged { try db.run("DELETE FROM taskkit_state WHERE id = ?", id) }
    if job.flags.contains(.parents) { try db.run("DELETE FROM taskkit_edge WHERE child = ?", id) }
    if job.flags.contains(.checkpoint) { try db.run("DELETE FROM taskkit_checkpoint WHERE id = ?", id) }
    if job.flags.contains(.errors) { try db.run("DELETE FROM taskkit_error WHERE id = ?", id) }
    if job.flags.contains(.steps) { try db.run("DELETE FROM taskkit_step WHERE id = ?", id) }
  }

  /// Gives an attempt back that has not begun, and holds its job still.
  func giveBack(_ key: AttemptKey) throws {
    guard var job = try job(key.job), job.attempt?.token == key.token else { return }
    try interrupt(&job)
  }

  // MARK: Keys

  private func releaseKey(of job: SQLiteJob) throws {
    guard let key = job.uniqueKey else { return }
    if let period = job.uniquePeriod, job.created + .microseconds(period) > now {
      try db.run("UPDATE taskkit_key SET has_ended = 1 WHERE key = ? AND id = ?", key, job.id.rawValue)
    } else {
      try db.run("DELETE FROM taskkit_key WHERE key = ? AND id = ?", key, job.id.rawValue)
    }
  }

  /// The unfinished jobs of a key, in the order of their ids.
  func unfinishedJobs(of key: String) throws -> [JobID] {
    try db.list("SELECT id FROM taskkit_key WHERE key = ? AND NOT has_ended ORDER BY id", key) {
      JobID(rawValue: $0[0])
    }.filter { try holds($0, key) }
  }

  /// The last of them: there may be very many that wait for each other.
  func lastUnfinishedJob(of key: String) throws -> JobID? {
    while true {
      let last = try db.first(
        "SELECT id FROM taskkit_key WHERE key = ? AND NOT has_ended ORDER BY id DESC LIMIT 1", key
      ) { JobID(rawValue: $0[0]) }
      if try last.map({ try holds($0, key) }) ?? true { return last }
    }
  }

  /// Whether a job is there that is said to have a key and not to have ended; what is said of one that was lost is deleted.
  private func holds(_ id: JobID, _ key: String) throws -> Bool {
    if try isThere(id) { return true }
    try db.run("DELETE FROM taskkit_key WHERE key = ? AND id = ?", key, id.rawValue)
    return false
  }

  /// The job that keeps others from its key: an unfinished one, or else the one whose period has not passed.
  func keeper(of key: String) throws -> JobID? {
    try lastUnfinishedJob(of: key)
      ?? db.first(
        "SELECT id FROM taskkit_key WHERE key = ? AND has_ended AND until > ? ORDER BY id DESC LIMIT 1", key,
        now.microseconds
      ) { JobID(rawValue: $0[0]) }
  }

  // MARK: Errors

  func note(_ cause: AttemptFailure.Cause, _ text: String, _ job: inout SQLiteJob) throws {
    let id = job.id.rawValue
    let last: Int64? = try db.first("SELECT coalesce(max(place), 0) FROM taskkit_error WHERE id = ?", id) { $0[0] }
    let place = (last ?? 0) + 1
    try db.run(
      "INSERT INTO taskkit_error VALUES (?, ?, ?, ?, ?, ?)", id, place, job.attempts, now.microseconds, cause.rawValue,
      text)
    try db.run("DELETE FROM taskkit_error WHERE id = ? AND place <= ?", id, place - Int64(LedgerEntry.keptErrors))
    job.flags.insert(.errors)
  }
}
#endif
