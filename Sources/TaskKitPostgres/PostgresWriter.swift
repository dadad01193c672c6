#if Postgres
import TaskKitDurable

/// Writes for one owner, one transaction after the other: what is asked for while one is on its way rides in the next.
///
/// New jobs of all callers are one statement, but that those which have to do with others, and may wait for them, go apart. With
/// all the rest an exchange goes: two statements, one round trip, one commit, and the exchange may give out what has just come.
/// Where that fails, each is done by itself, so that nobody suffers for another.
actor PostgresWriter {
  /// The most jobs of several callers in one transaction, so that none waits for too many others.
  private static let largestCommit = 1000

  private let settings: PostgresSettings
  private let environment: StoreEnvironment
  private let transactions: PostgresTransactions
  private let tellOthers: @Sendable (_ queues: Set<String>, _ owner: Int64) -> Void
  private let signal: AsyncStream<Void>.Continuation
  /// How many queues are enough to begin anew with those that are asked for from then on.
  private static let manyQueues = 1000
  /// Those that were asked for jobs, in two parts, so that one that is asked for no more falls out at some time: programs may name
  /// queues by their users. What happens in it then is heard of no later than `pollInterval`.
  private var queues: Set<String> = []
  private var olderQueues: Set<String> = []
  private var isBusy = false
  private var enqueueing: [PostgresFlight.Enqueueing] = []
  private var exchanging: [PostgresFlight.Exchanging] = []
  private var calling: [PostgresFlight.Calling] = []
  /// Takes turns, so that neither of the two sorts keeps the other waiting.
  private var isTurnOfCalls = false
  /// The same for exchanges and those new jobs that go apart from them.
  private var isTurnOfExchanges = false

  init(
    _ settings: PostgresSettings, environment: StoreEnvironment, connection: PostgresConnection, owner: Int64,
    signal: AsyncStream<Void>.Continuation,
    tellOthers: @escaping @Sendable (_ queues: Set<String>, _ owner: Int64) -> Void
  ) {
    self.settings = settings
    self.environment = environment
    transactions = PostgresTransactions(settings, environment: environment, connection: connection, owner: owner)
    self.signal = signal
    self.tellOthers = tellOthers
  }

  /// How many calls wait for the transaction that is on its way.
  var waiting: Int { enqueueing.count + exchanging.count + calling.count }

  var owner: Int64 { transactions.owner }

  /// How many attempts it takes to be the owner's.
  var held: Int { transactions.held.count }

  /// What the calendar says now; nil where that is the server's.
  nonisolated var time: Int64? { settings.time(environment) }

  /// Who it is, and what concerns it.
  var subject: PostgresWatch.Subject { PostgresWatch.Subject(owner: owner, queues: queues.union(olderQueues)) }

  // MARK: Asking

  func enqueue(_ jobs: [NewJob]) async throws -> [EnqueuedJob] {
    for (place, job) in jobs.enumerated() {
      // Which ids there were, the server knows.
      if let problem = job.problem(at: place, next: .max) { throw settings.error(.invalid, problem) }
    }
    guard !jobs.isEmpty else { return [] }
    return try await withCheckedThrowingContinuation { waiter in
      enqueueing.append(.init(jobs: jobs, waiter: waiter))
      begin()
    }
  }

  func exchange(_ exchange: JobExchange) async throws -> JobExchange.Answer {
    queues.formUnion(exchange.claims.map(\.queue))
    if queues.count > Self.manyQueues { (olderQueues, queues) = (queues, []) }
    return try await withCheckedThrowingContinuation { waiter in
      exchanging.append(.init(exchange: exchange, waiter: waiter))
      begin()
    }
  }

  /// Does something in a transaction of its own.
  func perform(_ call: PostgresCall) async throws -> [PostgresRow] {
    try await withCheckedThrowingContinuation { waiter in
      calling.append(.init(call: call, waiter: waiter))
      begin()
    }
  }

  /// Prolongs the lease.
  ///
  /// - Returns: false where the owner was none any more: what it held has to be cancelled.
  func beat() async -> Bool {
    // What is on its way does it, too, where it has something to say; the next one comes early enough.
    guard !isBusy else { return true }
    let before = owner
    _ = try? await perform(.beat())
    return owner == before
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

  private func takeFlight() -> PostgresFlight? {
    defer { isTurnOfCalls.toggle() }
    if !calling.isEmpty, isTurnOfCalls || (enqueueing.isEmpty && exchanging.isEmpty) {
      return PostgresFlight(calling: calling.removeFirst())
    }
    guard !enqueueing.isEmpty || !exchanging.isEmpty else { return nil }
    // Only who waits for no other job may wait together with an exchange, which does.
    var flight = PostgresFlight(enqueueing: takeEnqueueing(onlyPlain: isTurnOfExchanges && !exchanging.isEmpty))
    if flight.enqueueing.allSatisfy(\.isPlain), !exchanging.isEmpty { flight.exchanging = exchanging.removeFirst() }
    isTurnOfExchanges = flight.exchanging == nil
    return flight
  }

  private func takeEnqueueing(onlyPlain: Bool) -> [PostgresFlight.Enqueueing] {
    guard let first = enqueueing.first(where: { $0.isPlain || !onlyPlain }) else { return [] }
    var batch: [PostgresFlight.Enqueueing] = []
    var others: [PostgresFlight.Enqueueing] = []
    var (count, bytes) = (0, 0)
    for next in enqueueing {
      // A power cut may undo only what all in the transaction allow for, and who waits for no other job waits for nobody who does.
      if next.isRelaxed == first.isRelaxed, next.isPlain == first.isPlain {
        count += next.jobs.count
        bytes += next.bytes
        // What is too much for the server would be refused to all of them, though each of them asks for little.
        if batch.isEmpty || (count <= Self.largestCommit && bytes <= settings.mostBytes) {
          batch.append(next)
          continue
        }
      }
      others.append(next)
    }
    enqueueing = others
    return batch
  }

  // MARK: Answering

  private func send(_ flight: PostgresFlight) async {
    do { try answer(flight, try await transactions.transact(try flight.calls)) } catch PostgresFailure.unreadable(
      let text)
    {
      // It has happened, so it must not be done again; what it gave out is found when the lease has passed.
      transactions.giveUp()
      flight.fail(settings.error(.corrupt, text))
    } catch PostgresFailure.unshelved(let places) {
      // The shelves of all others are there by now, so that these wait for nobody.
      let (asking, others) = flight.parted(at: places)
      asking.fail(settings.error(PostgresFailure.unshelved(places)))
      if !others.isEmpty { await send(others) }
    } catch {
      let error = settings.error(error)
      let pieces = flight.pieces
      // What one of them is refused for must not hit the others. Where it may have happened, nothing of it is done again.
      let mayConcernOne =
        flight.exchanging == nil
        ? error.reason == .invalid || error.reason == .other : error.reason != .unreachable && error.reason != .closed
      // Who is not let in at all is refused for none of them: each would only ask again.
      guard pieces.count > 1, mayConcernOne, transactions.hasConnected, !transactions.isUnknown else {
        return flight.fail(error)
      }
      for piece in pieces { await send(piece) }
    }
  }

  /// Tells the callers what the statements of a flight have said.
  private func answer(_ flight: PostgresFlight, _ reply: PostgresReply) throws {
    let parts = reply.parts
    var said: PostgresAnswer?
    if flight.calling != nil || !flight.enqueueing.isEmpty {
      said = try reply.reading { try PostgresAnswer(parts.first?.first) }
    }
    var news = Set(said?.news ?? [])
    // Nothing more is heard of those: no end is written for what does not count.
    transactions.held.subtract(said?.allCancelled ?? [])
    // Nothing throws from here on: each is told exactly once.
    flight.calling?.waiter.resume(returning: parts[0])
    if !flight.enqueueing.isEmpty {
      var enqueued = (said?.enqueued ?? [])[...]
      for entry in flight.enqueueing {
        news.formUnion(entry.jobs.map(\.queue))
        entry.waiter.resume(returning: Array(enqueued.prefix(entry.jobs.count)))
        enqueued = enqueued.dropFirst(entry.jobs.count)
      }
    }
    if let exchanging = flight.exchanging {
      do {
        let (others, told) = try reply.reading {
          (try PostgresAnswer(parts.last?.first).news ?? [], try answer(exchanging.exchange, parts.last ?? []))
        }
        news.formUnion(others)
        exchanging.waiter.resume(returning: told)
      } catch {
        // It has happened; what it gave out is found when the lease has passed. Whoever rode along has been told already.
        transactions.giveUp()
        exchanging.waiter.resume(throwing: settings.error(error))
      }
    } else if transactions.owesTelling {
      // Only an exchange tells that, and nobody else knows that one is due.
      signal.yield()
    }
    tellOthers(news, owner)
  }

  /// What an exchange is told: what its statement has said, and what else has become known meanwhile.
  private func answer(_ exchange: JobExchange, _ rows: [PostgresRow]) throws -> JobExchange.Answer {
    var answer = try JobExchange.Answer(rows)
    for (end, _) in exchange.ends { transactions.held.remove(end.token.rawValue) }
    for job in answer.claimed { transactions.held.insert(job.token.rawValue) }
    answer.toCancel = (answer.toCancel + transactions.takeLost().map(AttemptToken.init)).sorted()
    transactions.held.subtract(answer.toCancel.map(\.rawValue))
    answer.rescued += transactions.takeRescued()
    return answer
  }

  // MARK: Ending

  /// Gives back what the owner holds.
  func close() async {
    // What cannot be given back now is found when the lease has passed.
    if !transactions.isClosed { _ = try? await perform(try PostgresCall("close", [String: String]())) }
    await die()
  }

  /// Ends the owner as the death of its process would.
  func die() async { await transactions.end() }
}
#endif
