#if Postgres
import TaskKitDurable

/// The transactions of an owner, one after the other, each done once whatever becomes of connections meanwhile. It belongs to
/// one writer, within whose isolation it works.
///
/// Each transaction has a number. When the connection breaks, nobody knows whether the last one has happened: the next
/// connection asks for that number. Either what its statements said is there, or the number is used up, so that what is still
/// on its way to the server is refused when it comes.
final class PostgresTransactions {
  private let settings: PostgresSettings
  private let environment: StoreEnvironment
  private var connection: PostgresConnection?
  private(set) var owner: Int64
  private var operation: Int64 = 0
  /// What became of the operation of that number is not known.
  private var unknown: Int64?
  /// The attempts that the owner has been given, and that have neither ended nor were told to be cancelled.
  var held: Set<Int64> = []
  /// Attempts that have to be cancelled, and whose owner nobody has told yet.
  private var lost: [Int64] = []
  /// Jobs of owners that were gone, in an answer for which nobody waited any more.
  private var rescued: [RescuedJob] = []
  /// Jobs that were given out when nobody waited for the answer any more.
  private var abandoned: [AttemptKey] = []
  /// What could not be read in an answer that nobody waited for; nil where that has been told.
  private var damage: String?
  /// Whether it has to go on as another owner.
  private var hasGivenUp = false
  private(set) var isClosed = false
  /// Whether there was a connection for what was done last.
  private(set) var hasConnected = true

  init(
    _ settings: PostgresSettings, environment: StoreEnvironment, connection: PostgresConnection, owner: Int64
  ) {
    self.settings = settings
    self.environment = environment
    self.connection = connection
    self.owner = owner
  }

  /// Lets the lease pass of an owner of which nobody knows what it holds: others find that, and this one goes on as another
  /// owner.
  func giveUp() { hasGivenUp = true }

  /// The attempts that have to be cancelled; each is told once.
  func takeLost() -> [Int64] {
    defer { lost = [] }
    return lost
  }

  /// Whether nobody knows what has become of what was sent last.
  var isUnknown: Bool { unknown != nil }

  /// Whether there is something that only the answer of an exchange can tell.
  var owesTelling: Bool { !lost.isEmpty || !rescued.isEmpty }

  /// Jobs that were rescued without anybody hearing of it; each is told once.
  func takeRescued() -> [RescuedJob] {
    defer { rescued = [] }
    return rescued
  }

  /// How it goes with what is being done.
  private struct Trying {
    /// Since the connection broke first; nil before. A call may have waited at the server for longer than the patience by then. Not
    /// anew with each break: what ends its connection each time would be sent for ever.
    var delays: Backoff?
    /// Since a conflict took it back first; nil before.
    var conflicts: Backoff?
    /// New jobs for which shelves are missing.
    var unshelved: [PostgresValue] = []
    /// Whether it was sent, and nobody knows what has become of it.
    var isUnknown = false

    /// Since then.
    var elapsed: Duration { delays?.elapsed ?? .zero }
  }

  /// What is on its way to the server under the number of an operation.
  private enum Sent {
    case nothing, abandoned, calls
  }

  /// Does something once, whatever becomes of connections meanwhile.
  ///
  /// - Returns: what each call said.
  func transact(_ calls: [PostgresCall]) async throws -> PostgresReply {
    guard !isClosed else { throw settings.error(.closed, "it was closed") }
    operation += 1
    var conflicts = 0
    var trying = Trying()
    while true {
      /// What is lost with the connection, if that breaks.
      var sent = Sent.nothing
      do {
        hasConnected = false
        let connection = try await connected()
        hasConnected = true
        if hasGivenUp { try await becomeOwnerAgain() }
        if let reply = try await recover(connection, within: settings.patience - trying.elapsed) { return reply }
        // What was sent of it has not happened, and never will.
        trying.isUnknown = false
        for jobs in trying.unshelved {
          try PostgresFailure.check(
            shelved: try await connection.query(
              "SELECT \(settings.schema).taskkit_shelve($1, $2)", [.integer(owner), jobs]))
        }
        trying.unshelved = []
        if !abandoned.isEmpty, !hasGivenUp {
          sent = .abandoned
          try await giveBack(connection)
        }
        if hasGivenUp { continue }
        try tellDamage(to: calls)
        sent = .calls
        return PostgresReply(parts: try await send(calls, connection))
      } catch PostgresFailure.lost(let text) {
        connection = nil
        if sent != .nothing { unknown = operation }
        if sent == .calls { trying.isUnknown = true }
        try await wait(&trying, text)
      } catch PostgresFailure.refused(let text) {
        connection = nil
        try await wait(&trying, text)
      } catch PostgresFailure.server(let code, let message) {
        switch code {
        case "TK001":
          let mayHaveHappened = trying.isUnknown && !calls.allSatisfy(\.isRepeatable)
          do { try await becomeOwnerAgain() } catch {
            guard mayHaveHappened else { throw error }
            let text = settings.error(error).detail
            throw settings.error(.unreachable, "\(text); whether what was asked for last has happened is not known")
          }
          // Who knew whether it has happened is gone with the lease.
          guard !mayHaveHappened else {
            throw settings.error(
              .unreachable,
              "the connection was broken for longer than the lease; whether what was asked for has happened is not known"
            )
          }
          trying.isUnknown = false
        case "40001", "40P01":
          // A conflict took it back: it is done again. Locks are taken in one order, so that hardly ever happens.
          conflicts += 1
          var pauses = trying.conflicts ?? Backoff(longest: .milliseconds(200))
          // A transaction in SQL that makes shelves is waited for as long as new jobs wait for one.
          if conflicts >= 20, pauses.elapsed >= .seconds(2) { throw settings.error(.locked, message) }
          if conflicts > 2 { try? await Task.sleep(for: pauses.next()) }
          trying.conflicts = pauses
        case "TK006" where conflicts < 20:
          // The first jobs of a sort: their shelves are made in a transaction of its own, and stay.
          conflicts += 1
          trying.unshelved = calls.compactMap(\.jobs)
        default:
          let error =
            if let connection { await settings.error(code: code, message, asking: connection) } else {
              settings.error(code: code, message)
            }
          if PostgresFailure.lastsAsLongAsSession(code) {
            // The next try finds what has been changed.
            await connection?.end()
            connection = nil
          }
          guard trying.isUnknown else { throw error }
          throw settings.error(
            error.reason, "\(error.detail); whether what was asked for last has happened is not known")
        }
      }
    }
  }

  /// Gives jobs back that were given out when nobody waited for the answer any more, uncounted. What else an exchange says
  /// there, the next one that somebody waits for says.
  private func giveBack(_ connection: PostgresConnection) async throws {
    let giving = try PostgresCall(JobExchange(ends: abandoned.map { ($0, .interrupted) }))
    let rows = try await send([giving], connection)[0]
    abandoned = []
    operation += 1
    do {
      let answer = try JobExchange.Answer(rows)
      lost += answer.toCancel.map(\.rawValue)
      rescued += answer.rescued
    } catch PostgresFailure.unreadable(let text) { giveUp(for: text) }
  }

  /// An answer that nobody waits for cannot be read, and it has happened. Whoever asks for something else meanwhile must not
  /// suffer for that. What has to be cancelled is not known: all that an owner holds who is given up.
  private func giveUp(for text: String) {
    damage = text
    abandoned = []
    hasGivenUp = true
  }

  /// Tells the next exchange, which would have told what that answer said; by itself, so that nobody else is told.
  private func tellDamage(to calls: [PostgresCall]) throws {
    guard let text = damage, calls.contains(where: \.isExchange) else { return }
    if calls.count == 1 { damage = nil }
    throw settings.error(.corrupt, text)
  }

  /// Does calls in one transaction.
  private func send(_ calls: [PostgresCall], _ connection: PostgresConnection) async throws -> [[PostgresRow]] {
    let setting = PostgresCall.Setting(
      owner: owner, operation: operation, time: settings.time(environment), isRelaxed: calls.allSatisfy(\.isRelaxed),
      format: settings.build.version)
    return try await connection.query(
      calls.enumerated().map { place, call in call.statement(schema: settings.schema, setting, place: place) })
  }

  /// Asks what has become of the operation after which a connection broke.
  ///
  /// - Parameter time: how long the answer may take: the server may be at that operation still, and that may wait for others.
  /// - Returns: what its statements said, if it is the one that is waited for and has happened.
  private func recover(_ connection: PostgresConnection, within time: Duration) async throws -> PostgresReply? {
    guard let number = unknown else { return nil }
    // No shorter than what a server may take that has much to do.
    let patience = min(max(time, .seconds(1)), .seconds(1_000_000))
    let rows: [PostgresRow]
    do {
      rows = try await connection.query(
        "SELECT * FROM \(settings.schema).taskkit_recover($1, $2, $3)",
        [.integer(owner), .integer(number), .integer(patience.microseconds / 1000)])
    } catch PostgresFailure.server("55P03", _) {
      throw PostgresFailure.refused("the server has not come to the end of what was asked for last")
    }
    unknown = nil
    // Each statement's rows begin with what it said.
    let parts = rows.reduce(into: [[PostgresRow]]()) { parts, row in
      if row.data(0) != nil { parts.append([]) }
      parts[parts.count - 1].append(row)
    }
    let source = "what the transaction \(number) of owner \(owner) has said, which taskkit_owner keeps"
    // Those who wait for it read it, each his part: where one cannot be read, who waits for another must not suffer for that.
    if number == operation, !parts.isEmpty, abandoned.isEmpty { return PostgresReply(parts: parts, source: source) }
    let answers: [JobExchange.Answer]
    let said: [PostgresAnswer]
    do {
      answers = try parts.map { try JobExchange.Answer($0) }
      said = try parts.map { try PostgresAnswer($0.first) }
    } catch {
      giveUp(for: "\(source): \(settings.error(error).detail)")
      return nil
    }
    // The number is used up.
    if number == operation { operation += 1 }
    guard !parts.isEmpty else { return nil }
    // What was abandoned before went back with it.
    abandoned = answers.flatMap { $0.claimed.map { AttemptKey(job: $0.id, token: $0.token) } }
    lost += said.flatMap(\.allCancelled)
    rescued += answers.flatMap(\.rescued)
    return nil
  }

  /// Waits before the next try. Of what nothing was sent, that is not tried again: it has not happened, and its caller decides.
  private func wait(_ trying: inout Trying, _ text: String) async throws {
    guard !isClosed else { throw settings.error(.closed, "it was closed") }
    guard unknown == operation || !trying.unshelved.isEmpty else { throw settings.error(.unreachable, text) }
    var delays = trying.delays ?? Backoff()
    guard delays.elapsed < settings.patience else {
      throw settings.error(
        .unreachable, trying.isUnknown ? "\(text); whether what was asked for last has happened is not known" : text)
    }
    let delay = delays.next()
    trying.delays = delays
    try? await Task.sleep(for: delay)
  }

  private func connected() async throws -> PostgresConnection {
    if let connection, await !connection.isBroken { return connection }
    let new: PostgresConnection
    do { new = try await PostgresConnection.open(settings.address) } catch PostgresFailure.server(_, let message)
      where unknown == operation
    {
      // Who asks what has become of something goes on asking, even if he is not let in at the moment.
      throw PostgresFailure.refused(message)
    }
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
    hasGivenUp = false
    operation = 1
    unknown = nil
    lost += held
    held = []
    abandoned = []
  }

  /// Nothing is done from now on.
  func end() async {
    isClosed = true
    await connection?.end()
    connection = nil
  }
}
#endif
