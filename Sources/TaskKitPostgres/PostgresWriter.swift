#if Postgres
import Foundation
import Synchronization
import TaskKitDurable

/// Writes for one owner, one transaction after the other: what is enqueued while one is on its way rides in the next.
///
/// Each has a number. When the connection breaks, nobody knows whether the last one has happened: the next connection asks
/// for that number. Either its answer is there, or the number is used up, so that what is still on its way to the server
/// is refused when it comes.
actor PostgresWriter {
  private struct Enqueueing {
    let jobs: [NewJob]
    let continuation: CheckedContinuation<[EnqueuedJob], any Error>

    /// Whether a crash of the server may undo it.
    var isRelaxed: Bool { jobs.allSatisfy { $0.durability == .relaxed } }
  }

  /// The most jobs of several callers in one transaction, so that none waits for too many others.
  private static let largestCommit = 1000

  private let settings: PostgresSettings
  private let environment: StoreEnvironment
  private let tellOthers: @Sendable () -> Void
  private var connection: PostgresConnection?
  private(set) var owner: Int64
  private var operation: Int64 = 0
  /// What became of the operation of that number is not known.
  private var unknown: Int64?
  private var held: Set<Int64> = []
  /// Attempts that have to be cancelled, and whose owner nobody has told yet.
  private var lost: [Int64] = []
  /// Jobs that were given out when nobody waited for the answer any more.
  private var abandoned: [AttemptKey] = []
  private var isClosed = false
  private var isBusy = false
  private var turns: [CheckedContinuation<Void, Never>] = []
  private var enqueueing: [Enqueueing] = []

  init(
    _ settings: PostgresSettings, environment: StoreEnvironment, connection: PostgresConnection, owner: Int64,
    tellOthers: @escaping @Sendable () -> Void
  ) {
    self.settings = settings
    self.environment = environment
    self.connection = connection
    self.owner = owner
    self.tellOthers = tellOthers
  }

  // MARK: Asking

  func enqueue(_ jobs: [NewJob]) async throws -> [EnqueuedJob] {
    for (place, job) in jobs.enumerated() {
      // Which ids there were, the server knows.
      if let problem = job.problem(at: place, next: .max) { throw settings.error(.invalid, problem) }
    }
    guard !jobs.isEmpty else { return [] }
    return try await withCheckedThrowingContinuation { continuation in
      enqueueing.append(Enqueueing(jobs: jobs, continuation: continuation))
      // Ends when everything that has gathered is written.
      if enqueueing.count == 1 { Task { await self.writeEnqueued() } }
    }
  }

  private func writeEnqueued() async {
    await takeTurn()
    var batch: [Enqueueing] = []
    var count = 0
    while let next = enqueueing.first, batch.isEmpty || count + next.jobs.count <= Self.largestCommit {
      // A power cut may undo only what all in the transaction allow for.
      if let first = batch.first, first.isRelaxed != next.isRelaxed { break }
      batch.append(enqueueing.removeFirst())
      count += next.jobs.count
    }
    if !enqueueing.isEmpty { Task { await self.writeEnqueued() } }
    do {
      let answers = try await write(batch)
      for (entry, answer) in zip(batch, answers) { entry.continuation.resume(returning: answer) }
    } catch let error as JobStoreError where error.reason == .invalid && batch.count > 1 {
      // One of them makes no sense: the others must not suffer for it.
      for entry in batch {
        do { entry.continuation.resume(returning: try await write([entry])[0]) } catch {
          entry.continuation.resume(throwing: error)
        }
      }
    } catch {
      for entry in batch { entry.continuation.resume(throwing: error) }
    }
    endTurn()
  }

  private func write(_ batch: [Enqueueing]) async throws -> [[EnqueuedJob]] {
    var jobs: [NewJob] = []
    for entry in batch {
      let offset = jobs.count
      jobs += entry.jobs.map { job in
        var job = job
        for index in job.parents.indices {
          if case .inBatch(let place) = job.parents[index] { job.parents[index] = .inBatch(place + offset) }
        }
        return job
      }
    }
    var enqueued = try PostgresAnswer(try await transact(PostgresCall(jobs)).first).enqueued[...]
    tellOthers()
    return batch.map { entry in
      defer { enqueued = enqueued.dropFirst(entry.jobs.count) }
      return Array(enqueued.prefix(entry.jobs.count))
    }
  }

  /// Does something in a transaction.
  ///
  /// - Parameter isNews: whether others have to know of it.
  func perform(_ call: PostgresCall, isNews: Bool = false) async throws -> [PostgresRow] {
    await takeTurn()
    defer { endTurn() }
    let rows = try await transact(call)
    if isNews { tellOthers() }
    return rows
  }

  func exchange(_ exchange: JobExchange) async throws -> JobExchange.Answer {
    await takeTurn()
    defer { endTurn() }
    let rows = try await transact(PostgresCall(exchange))
    var answer = try JobExchange.Answer(rows)
    for (end, _) in exchange.ends { held.remove(end.token.rawValue) }
    for job in answer.claimed { held.insert(job.token.rawValue) }
    answer.toCancel = (answer.toCancel + lost.map(AttemptToken.init)).sorted()
    lost = []
    if try PostgresAnswer(rows.first).news == true { tellOthers() }
    return answer
  }

  private func takeTurn() async {
    guard isBusy else {
      isBusy = true
      return
    }
    await withCheckedContinuation { turns.append($0) }
  }

  private func endTurn() {
    if turns.isEmpty { isBusy = false } else { turns.removeFirst().resume() }
  }

  // MARK: Transactions

  /// Does something once, whatever becomes of connections meanwhile.
  private func transact(_ call: PostgresCall) async throws -> [PostgresRow] {
    guard !isClosed else { throw settings.error(.closed, "it was closed") }
    operation += 1
    var conflicts = 0
    var delays = Backoff()
    while true {
      do {
        let connection = try await connected()
        if let rows = try await recover(connection) { return rows }
        if !abandoned.isEmpty {
          // They go back, uncounted.
          let back = try PostgresCall(JobExchange(ends: abandoned.map { ($0, .interrupted) }))
          _ = try await query(back, connection)
          abandoned = []
          operation += 1
        }
        return try await query(call, connection)
      } catch PostgresFailure.lost(let text) {
        connection = nil
        if unknown == nil { unknown = operation }
        try await wait(&delays, text)
      } catch PostgresFailure.refused(let text) {
        connection = nil
        // What was never sent has not happened. For the rest, time may tell.
        guard unknown == operation else { throw settings.error(.unreachable, text) }
        try await wait(&delays, text)
      } catch PostgresFailure.server(let code, let message) {
        switch code {
        case "TK001": try await becomeOwnerAgain()
        case "40001", "40P01":
          // A deadlock or a conflict took it back: it is done again.
          conflicts += 1
          if conflicts >= 20 { throw settings.error(.locked, message) }
        default: throw settings.error(code: code, message)
        }
      }
    }
  }

  /// What the calendar says now; nil where that is the server's.
  nonisolated var time: Int64? { settings.usesEnvironmentClock ? StoreTime(environment.now()).microseconds : nil }

  private func query(_ call: PostgresCall, _ connection: PostgresConnection) async throws -> [PostgresRow] {
    try await connection.query(
      call.statement(schema: settings.schema),
      [.integer(owner), .integer(operation), .integer(time), .flag(call.isRelaxed)] + call.values)
  }

  /// Asks what has become of the operation after which a connection broke.
  ///
  /// - Returns: its answer, if it is the one that is waited for and has happened.
  private func recover(_ connection: PostgresConnection) async throws -> [PostgresRow]? {
    guard let number = unknown else { return nil }
    let rows = try await connection.query(
      "SELECT * FROM \(settings.schema).taskkit_recover($1, $2)", [.integer(owner), .integer(number)])
    unknown = nil
    if number == operation, !rows.isEmpty, abandoned.isEmpty { return rows }
    // The number is used up; what was abandoned before went back with it.
    if number == operation { operation += 1 }
    if !rows.isEmpty, let answer = try? JobExchange.Answer(rows) {
      abandoned = answer.claimed.map { AttemptKey(job: $0.id, token: $0.token) }
      lost += answer.toCancel.map(\.rawValue)
    }
    return nil
  }

  private func wait(_ delays: inout Backoff, _ text: String) async throws {
    guard !isClosed else { throw settings.error(.closed, "it was closed") }
    guard delays.total < settings.patience else {
      throw settings.error(.unreachable, "\(text); whether what was asked for last has happened is not known")
    }
    try? await Task.sleep(for: delays.next())
  }

  private func connected() async throws -> PostgresConnection {
    if let connection, await !connection.isBroken { return connection }
    let new = try await PostgresConnection.open(settings.address)
    guard !isClosed else {
      await new.end()
      throw settings.error(.closed, "it was closed")
    }
    connection = new
    return new
  }

  /// The lease had passed before it was prolonged, and others have what this owner held.
  private func becomeOwnerAgain() async throws {
    let rows = try await connected().query(
      "SELECT owner FROM \(settings.schema).taskkit_open($1, $2)",
      [.text(environment.owner.withoutNull), .integer(settings.lease.microseconds)])
    owner = rows.first?.integer(0) ?? 0
    operation = 1
    unknown = nil
    lost += held
    held = []
    abandoned = []
  }

  // MARK: Ending

  /// Gives back what the owner holds.
  func close() async {
    // What cannot be given back now is found when the lease has passed.
    if !isClosed { _ = try? await perform(try PostgresCall("close", [String: String]())) }
    await die()
  }

  /// Ends the owner as the death of its process would.
  func die() async {
    isClosed = true
    await connection?.end()
    connection = nil
  }
}

/// How long to wait between tries: from nothing on, twice as long each time, up to two seconds.
struct Backoff {
  private(set) var total = Duration.zero
  private var last = Duration.zero

  mutating func next() -> Duration {
    defer {
      total += last
      last = min(max(last * 2, .milliseconds(20)), .seconds(2))
    }
    // Not all at once, when a server comes back.
    return last * Double.random(in: 0.5...1)
  }
}
#endif
