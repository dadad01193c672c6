#if Postgres
import Foundation
import TaskKitDurable

/// Prolongs an owner's lease, and tells when others have done something, each thing once: a connection of its own that
/// listens, and looks by itself in case that nobody tells.
///
/// What others have done is seen in the counts of how much has moved in each queue: a notification says only that it is
/// time to look at them. What happens in queues that the process asks for jobs is told at once, anything else, which only
/// who looks at the whole store may want to know, no more often than every `pollInterval`.
struct PostgresWatch: Sendable {
  /// Who watches, and for what.
  struct Subject: Sendable {
    var owner: Int64
    /// The queues that have been asked for jobs, where they are very many the latest of them; empty for all of them.
    var queues: Set<String>

    func concerns(_ queue: String) -> Bool { queue.isEmpty || queues.isEmpty || queues.contains(queue) }
  }

  /// How much others have moved, by queue.
  typealias Moves = [String: Int64]

  let settings: PostgresSettings
  let identity: UUID
  let subject: @Sendable () async -> Subject?
  let signal: AsyncStream<Void>.Continuation
  /// What had moved when the store was opened.
  let moves: Moves
  let trouble: PostgresTrouble
  let cleaner: PostgresCleaner

  /// What it remembers from one connection to the next.
  private struct Memory {
    var moves: Moves
    /// Whether something has happened that is told later.
    var owesTelling = false
    var nextTelling: ContinuousClock.Instant
    var nextDeath = ContinuousClock.now
    var nextTidying = ContinuousClock.now
    var nextCleaning = ContinuousClock.now
  }

  /// Works until the task is cancelled.
  func run() async {
    // Soon enough that the lease does not pass while it waits.
    let longest = min(settings.lease / 8, .seconds(2))
    var delays = Backoff(longest: longest)
    var memory = Memory(moves: moves, nextTelling: .now + settings.pollInterval)
    var isFirst = true
    while !Task.isCancelled {
      try? await Task.sleep(for: delays.next())
      guard !Task.isCancelled else { return }
      do {
        let connection = try await PostgresConnection.open(settings.address)
        // A server that has died may have forgotten how much had moved.
        if !isFirst { signal.yield() }
        isFirst = false
        try await watch(connection, &memory) {
          delays = Backoff(longest: longest)
          trouble.end()
        }
      } catch { trouble.add(settings.error(error).detail) }
    }
  }

  /// Watches by a connection, which is ended afterwards.
  private func watch(_ connection: PostgresConnection, _ memory: inout Memory, _ works: () -> Void) async throws {
    try await withTaskCancellationHandler {
      do { try await look(by: connection, &memory, works) } catch {
        await connection.end()
        throw error
      }
      await connection.end()
    } onCancel: {
      // Ends when the connection has been told.
      Task { await connection.end() }
    }
  }

  private func look(by connection: PostgresConnection, _ memory: inout Memory, _ works: () -> Void) async throws {
    var interval = Self.shortestInterval
    var nextBeat = ContinuousClock.now
    var mustListen = settings.notifies
    while !Task.isCancelled, let subject = await subject() {
      let mustBeat = ContinuousClock.now >= nextBeat
      // One round trip, whatever there is to say.
      var statements: [PostgresStatement] = []
      if mustListen {
        statements.append(PostgresStatement("LISTEN \"taskkit_\(identity.uuidString.lowercased())\""))
      }
      // Before it judges others: who was cut off may not.
      if mustBeat {
        statements.append(
          PostgresStatement("SELECT \(settings.schema).taskkit_beat($1)", [.integer(subject.owner)]))
      }
      statements += [Self.look(settings, owner: subject.owner), death(owner: subject.owner)]
      let mustClean = ContinuousClock.now >= memory.nextCleaning
      if mustClean { statements.append(await cleaner.question) }
      var answers = try await connection.query(statements).dropFirst(mustListen ? 1 : 0)
      if mustClean {
        memory.nextCleaning = .now + PostgresCleaner.shortestInterval
        if answers.removeLast().first?.flag(0) == true { await cleaner.begin() }
      }
      let beaten = mustBeat ? answers.first : nil
      let (looked, died) = (answers.dropLast().last, answers.last)
      works()
      mustListen = false
      if mustBeat { nextBeat = .now + settings.lease / 3 }
      // Whoever works for the owner has to learn that it is none any more.
      if mustBeat, beaten?.first?.flag(0) != true { signal.yield() }
      lookForDeath(died ?? [], &memory)
      try await tidy(looked?.count ?? 0, by: connection, &memory)
      let moves = Self.moves(looked ?? [])
      let hasMoved = tell(moves, subject, &memory)
      interval = hasMoved ? Self.shortestInterval : min(interval * 3 / 2, settings.pollInterval)
      // A beat that waited for the next look could come so late that it looks like an outage.
      try await listen(connection, subject, within: min(interval, nextBeat - .now))
    }
  }

  /// Lets the server forget queues in which nothing is, where there are many: each look would read them all.
  private func tidy(_ queues: Int, by connection: PostgresConnection, _ memory: inout Memory) async throws {
    guard queues > Self.manyQueues, ContinuousClock.now >= memory.nextTidying else { return }
    memory.nextTidying = .now + settings.pollInterval * 10
    _ = try await connection.query("SELECT \(settings.schema).taskkit_tidy_counts()")
  }

  /// - Returns: whether something has happened in the queues that are watched.
  private func tell(_ moves: Moves, _ subject: Subject, _ memory: inout Memory) -> Bool {
    // That one has been forgotten is no news.
    let changed = moves.keys.filter { moves[$0] != memory.moves[$0] }
    memory.moves = moves
    if !changed.isEmpty { memory.owesTelling = true }
    let isNear = changed.contains { subject.concerns($0) }
    if isNear || (memory.owesTelling && ContinuousClock.now >= memory.nextTelling) {
      memory.owesTelling = false
      memory.nextTelling = .now + settings.pollInterval
      signal.yield()
    }
    return isNear
  }

  /// The jobs of an owner that has died are found by the next exchange; without this, somebody who has nothing to do would
  /// ask for none.
  private func lookForDeath(_ rows: [PostgresRow], _ memory: inout Memory) {
    guard rows.first?.flag(0) == true, ContinuousClock.now >= memory.nextDeath else { return }
    memory.nextDeath = .now + settings.pollInterval
    signal.yield()
  }

  /// Returns when the time has passed, or others say that something has happened that concerns the process.
  private func listen(_ connection: PostgresConnection, _ subject: Subject, within time: Duration) async throws {
    let end = ContinuousClock.now + time
    while !Task.isCancelled, case let left = end - .now, left > .zero {
      let news = try await connection.notifications(within: left).map(PostgresNews.init)
      if news.contains(where: { $0.owner != subject.owner && subject.concerns($0.queue) }) { return }
    }
  }

  private func death(owner: Int64) -> PostgresStatement {
    PostgresStatement(
      "SELECT cardinality(\(settings.schema).taskkit_dead($1, false)) > 0", [.integer(owner)])
  }

  /// How much others than an owner have moved, by queue; NULL where that has been nobody.
  static func look(_ settings: PostgresSettings, owner: Int64) -> PostgresStatement {
    PostgresStatement(
      """
      SELECT queue, (sum(moves) FILTER (WHERE slot <> $1))::bigint FROM \(settings.schema).taskkit_count GROUP BY queue
      """, [.integer(owner)])
  }

  static func moves(_ rows: [PostgresRow]) -> Moves {
    // What a server tells apart by its bytes may be one text here: an accent in the letter and one behind it.
    Dictionary(rows.compactMap { row in row.integer(1).map { (row.text(0) ?? "", $0) } }, uniquingKeysWith: &+)
  }

  private static let shortestInterval = Duration.milliseconds(100)
  /// How many queues in which nothing is are remembered; to read these few costs a look next to nothing.
  static let manyQueues = 200
}
#endif
