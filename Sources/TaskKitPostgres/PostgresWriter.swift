#if Postgres
import Foundation
import Synchronization
import TaskKitDurable

/// Writes for one owner, one transaction after the other: what is asked for while one is on its way rides in the next.
///
/// New jobs of all callers are one statement, and where they have to do with no others, an exchange goes with them: two
/// statements, one round trip, one commit, and the exchange may give out what has just come. Where that fails, each
/// is done by itself, so that nobody suffers for another.
///
/// Each transaction has a number. When the connection breaks, nobody knows whether the last one has happened: the next
/// connection asks for that number. Either what its statements said is there, or the number is used up, so that what is still
/// on its way to the server is refused when it comes.
actor PostgresWriter {
  private typealias Waiter<Value> = CheckedContinuation<Value, any Error>

  private struct Enqueueing {
    let jobs: [NewJob]
    let waiter: Waiter<[EnqueuedJob]>

    /// Whether a crash of the server may undo it.
    var isRelaxed: Bool { jobs.allSatisfy { $0.durability == .relaxed } }
    var isPlain: Bool { jobs.allSatisfy(\.isPlain) }
  }

  private struct Exchanging {
    let exchange: JobExchange
    let waiter: Waiter<JobExchange.Answer>
  }

  private struct Calling {
    let call: PostgresCall
    let waiter: Waiter<[PostgresRow]>
  }

  /// What goes in one transaction.
  private struct Flight {
    var enqueueing: [Enqueueing] = []
    var exchanging: Exchanging?
    var calling: Calling?

    /// The same, each by itself.
    var pieces: [Flight] {
      if !enqueueing.isEmpty, exchanging != nil {
        return [Flight(enqueueing: enqueueing), Flight(exchanging: exchanging)]
      }
      return enqueueing.count > 1 ? enqueueing.map { Flight(enqueueing: [$0]) } : [self]
    }

    func fail(_ error: JobStoreError) {
      for entry in enqueueing { entry.waiter.resume(throwing: error) }
      exchanging?.waiter.resume(throwing: error)
      calling?.waiter.resume(throwing: error)
    }
  }

  /// The most jobs of several callers in one transaction, so that none waits for too many others.
  private static let largestCommit = 1000

  private let settings: PostgresSettings
  private let environment: StoreEnvironment
  private let tellOthers: @Sendable (_ queues: Set<String>, _ owner: Int64) -> Void
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
  /// Those that were asked for jobs.
  private var queues: Set<String> = []
  private var isClosed = false
  private var isBusy = false
  private var enqueueing: [Enqueueing] = []
  private var exchanging: [Exchanging] = []
  private var calling: [Calling] = []
  /// Takes turns, so that neither of the two sorts keeps the other waiting.
  private var isTurnOfCalls = false

  init(
    _ settings: PostgresSettings, environment: StoreEnvironment, connection: PostgresConnection, owner: Int64,
    tellOthers: @escaping @Sendable (_ queues: Set<String>, _ owner: Int64) -> Void
  ) {
    self.settings = settings
    self.environment = environment
    self.connection = connection
    self.owner = owner
    self.tellOthers = tellOthers
  }

  /// How many calls wait for the transaction that is on its way.
  var waiting: Int { enqueueing.count + exchanging.count + calling.count }

  /// Who it is, and what concerns it.
  var subject: PostgresWatch.Subject { PostgresWatch.Subject(owner: owner, queues: queues) }

  // MARK: Asking

  func enqueue(_ jobs: [NewJob]) async throws -> [EnqueuedJob] {
    for (place, job) in jobs.enumerated() {
      // Which ids there were, the server knows.
      if let problem = job.problem(at: place, next: .max) { throw settings.error(.invalid, problem) }
    }
    guard !jobs.isEmpty else { return [] }
    return try await withCheckedThrowingContinuation { waiter in
      enqueueing.append(Enqueueing(jobs: jobs, waiter: waiter))
      begin()
    }
  }

  func exchange(_ exchange: JobExchange) async throws -> JobExchange.Answer {
    queues.formUnion(exchange.claims.map(\.queue))
    return try await withCheckedThrowingContinuation { waiter in
      exchanging.append(Exchanging(exchange: exchange, waiter: waiter))
      begin()
    }
  }

  /// Does something in a transaction of its own.
  func perform(_ call: PostgresCall) async throws -> [PostgresRow] {
    try await withCheckedThrowingContinuation { waiter in
      calling.append(Calling(call: call, waiter: waiter))
      begin()
    }
  }

  private func begin() {
    guard !isBusy else { return }
    isBusy = true
    // Ends when everything that has gathered is written. What one caller cancels concerns no other.
    Task { await self.work() }
  }

  private func work() async {
    while let flight = takeFlight() { await send(flight) }
    isBusy = false
  }

  private func takeFlight() -> Flight? {
    defer { isTurnOfCalls.toggle() }
    if !calling.isEmpty, isTurnOfCalls || (enqueueing.isEmpty && exchanging.isEmpty) {
      return Flight(calling: calling.removeFirst())
    }
    guard !enqueueing.isEmpty || !exchanging.isEmpty else { return nil }
    var flight = Flight(enqueueing: takeEnqueueing())
    // Only who waits for no other job may wait together with an exchange, which does.
    if flight.enqueueing.allSatisfy(\.isPlain), !exchanging.isEmpty { flight.exchanging = exchanging.removeFirst() }
    return flight
  }

  private func takeEnqueueing() -> [Enqueueing] {
    guard let first = enqueueing.first else { return [] }
    var size = first.jobs.count
    // A power cut may undo only what all in the transaction allow for.
    let others = enqueueing.dropFirst().prefix { next in
      size += next.jobs.count
      return size <= Self.largestCommit && next.isRelaxed == first.isRelaxed
    }
    let batch = [first] + others
    enqueueing.removeFirst(batch.count)
    return batch
  }

  // MARK: Answering

  private func send(_ flight: Flight) async {
    do { try answer(flight, try await transact(try calls(flight))) } catch {
      let error = settings.error(error)
      let pieces = flight.pieces
      // What one of them is refused for must not hit the others.
      let mayConcernOne =
        flight.exchanging == nil
        ? error.reason == .invalid || error.reason == .other : error.reason != .unreachable && error.reason != .closed
      guard pieces.count > 1, mayConcernOne else { return flight.fail(error) }
      for piece in pieces { await send(piece) }
    }
  }

  private func calls(_ flight: Flight) throws -> [PostgresCall] {
    if let calling = flight.calling { return [calling.call] }
    var calls: [PostgresCall] = []
    if !flight.enqueueing.isEmpty { calls.append(try PostgresCall(Self.jobs(of: flight.enqueueing))) }
    if let exchanging = flight.exchanging { calls.append(try PostgresCall(exchanging.exchange)) }
    return calls
  }

  /// The jobs of all callers, with places in one batch.
  private static func jobs(of batch: [Enqueueing]) -> [NewJob] {
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
    return jobs
  }

  /// Tells the callers what the statements of a flight have said.
  private func answer(_ flight: Flight, _ parts: [[PostgresRow]]) throws {
    let said = try parts.map { try PostgresAnswer($0.first) }
    let exchanged = try flight.exchanging.map { _ in try JobExchange.Answer(parts.last ?? []) }
    var news = Set(said.flatMap { $0.news ?? [] })
    // Nothing throws from here on: each is told exactly once.
    flight.calling?.waiter.resume(returning: parts[0])
    if !flight.enqueueing.isEmpty {
      var enqueued = said[0].enqueued[...]
      for entry in flight.enqueueing {
        news.formUnion(entry.jobs.map(\.queue))
        entry.waiter.resume(returning: Array(enqueued.prefix(entry.jobs.count)))
        enqueued = enqueued.dropFirst(entry.jobs.count)
      }
    }
    if let exchanging = flight.exchanging, var answer = exchanged {
      for (end, _) in exchanging.exchange.ends { held.remove(end.token.rawValue) }
      for job in answer.claimed { held.insert(job.token.rawValue) }
      answer.toCancel = (answer.toCancel + lost.map(AttemptToken.init)).sorted()
      lost = []
      exchanging.waiter.resume(returning: answer)
    }
    tellOthers(news, owner)
  }

  // MARK: Transactions

  /// Does something once, whatever becomes of connections meanwhile.
  ///
  /// - Returns: what each call said.
  private func transact(_ calls: [PostgresCall]) async throws -> [[PostgresRow]] {
    guard !isClosed else { throw settings.error(.closed, "it was closed") }
    operation += 1
    var conflicts = 0
    var delays = Backoff()
    while true {
      var isSent = false
      do {
        let connection = try await connected()
        if let parts = try await recover(connection) { return parts }
        isSent = true
        if !abandoned.isEmpty {
          // They go back, uncounted.
          _ = try await send([try PostgresCall(JobExchange(ends: abandoned.map { ($0, .interrupted) }))], connection)
          abandoned = []
          operation += 1
        }
        return try await send(calls, connection)
      } catch PostgresFailure.lost(let text) {
        connection = nil
        if isSent { unknown = operation }
        try await wait(&delays, text)
      } catch PostgresFailure.refused(let text) {
        connection = nil
        try await wait(&delays, text)
      } catch PostgresFailure.server(let code, let message) {
        switch code {
        case "TK001":
          // Who knew whether it has happened is gone with the lease.
          let isUnknown = unknown == operation && abandoned.isEmpty
          try await becomeOwnerAgain()
          guard !isUnknown || calls.allSatisfy(\.isRepeatable) else {
            throw settings.error(
              .unreachable,
              "the connection was broken for longer than the lease; whether what was asked for has happened is not known"
            )
          }
        case "40001", "40P01":
          // A conflict took it back: it is done again. Locks are taken in one order, so that hardly ever happens.
          conflicts += 1
          if conflicts >= 20 { throw settings.error(.locked, message) }
        default: throw settings.error(code: code, message)
        }
      }
    }
  }

  /// What the calendar says now; nil where that is the server's.
  nonisolated var time: Int64? { settings.usesEnvironmentClock ? StoreTime(environment.now()).microseconds : nil }

  /// Does calls in one transaction.
  private func send(_ calls: [PostgresCall], _ connection: PostgresConnection) async throws -> [[PostgresRow]] {
    let setting = PostgresCall.Setting(
      owner: owner, operation: operation, time: time, isRelaxed: calls.allSatisfy(\.isRelaxed))
    let outcomes = try await connection.pipeline(
      calls.enumerated().map { place, call in call.statement(schema: settings.schema, setting, place: place) })
    for case .failure(let failure) in outcomes {
      // It is told by the one that failed.
      if case .undone = failure { continue }
      throw failure
    }
    return try outcomes.map { try $0.get() }
  }

  /// Asks what has become of the operation after which a connection broke.
  ///
  /// - Returns: what its statements said, if it is the one that is waited for and has happened.
  private func recover(_ connection: PostgresConnection) async throws -> [[PostgresRow]]? {
    guard let number = unknown else { return nil }
    let rows = try await connection.query(
      "SELECT * FROM \(settings.schema).taskkit_recover($1, $2)", [.integer(owner), .integer(number)])
    unknown = nil
    // Each statement's rows begin with what it said.
    let parts = rows.reduce(into: [[PostgresRow]]()) { parts, row in
      if row.data(0) != nil { parts.append([]) }
      parts[parts.count - 1].append(row)
    }
    if number == operation, !parts.isEmpty, abandoned.isEmpty { return parts }
    // The number is used up.
    if number == operation { operation += 1 }
    guard !parts.isEmpty else { return nil }
    // What was abandoned before went back with it.
    let answers = parts.compactMap { try? JobExchange.Answer($0) }
    abandoned = answers.flatMap { $0.claimed.map { AttemptKey(job: $0.id, token: $0.token) } }
    lost += answers.flatMap { $0.toCancel.map(\.rawValue) }
    return nil
  }

  /// Waits before the next try. What was never sent is not tried again: it has not happened, and its caller decides.
  private func wait(_ delays: inout Backoff, _ text: String) async throws {
    guard !isClosed else { throw settings.error(.closed, "it was closed") }
    guard unknown == operation else { throw settings.error(.unreachable, text) }
    guard delays.elapsed < settings.patience else {
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
  private let start = ContinuousClock.now
  private var last = Duration.zero

  /// Since the first try.
  var elapsed: Duration { ContinuousClock.now - start }

  mutating func next() -> Duration {
    defer { last = min(max(last * 2, .milliseconds(20)), .seconds(2)) }
    // Not all at once, when a server comes back.
    return last * Double.random(in: 0.5...1)
  }
}
#endif
