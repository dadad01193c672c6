#if Postgres
import TaskKitDurable

/// Removes the rows of jobs that are gone, and what leads to them in the indexes: each claim has to pass by that. The server
/// does it by itself, too, but looks for such tables once a minute at most, and in a minute there may be millions of them.
///
/// Whoever finds enough of them does it for all, by a connection of its own that is ended afterwards. Of two at a time the server
/// lets the second pass by what the first has. Where it is of no use, since a transaction may still look at those rows or the
/// role has no right to remove them, it is tried less and less often.
actor PostgresCleaner {
  /// The least time between two looks.
  static let shortestInterval = Duration.seconds(1)
  private static let longestInterval = Duration.seconds(60)

  private let settings: PostgresSettings
  private let table: PostgresValue
  private var connection: PostgresConnection?
  private var isCleaning = false
  private var hasEnded = false
  private var interval = shortestInterval
  private var next = ContinuousClock.now

  init(_ settings: PostgresSettings) {
    self.settings = settings
    table = .text("\(settings.schema).taskkit_state")
  }

  /// Whether there is so much to remove that it is worth while: that has to go through all entries of the indexes, so it waits for
  /// more where there are many.
  nonisolated var question: PostgresStatement {
    PostgresStatement(
      """
      SELECT pg_stat_get_dead_tuples(t) > $2 + pg_stat_get_live_tuples(t) / 10
        AND coalesce(pg_stat_get_last_vacuum_time(t) < clock_timestamp() - interval '1s', true)
      FROM to_regclass($1) t
      """, [table, .integer(Int64(settings.mostDeadRows))])
  }

  /// Begins to remove them, where it is time for that.
  func begin() {
    guard !isCleaning, !hasEnded, ContinuousClock.now >= next else { return }
    isCleaning = true
    // Ends when they are removed, or with the store.
    Task { await self.clean() }
  }

  /// Nothing is waited for any more. What the server has begun it brings to an end.
  func end() async {
    hasEnded = true
    await connection?.end()
  }

  private func clean() async {
    let start = ContinuousClock.now
    interval = await remove() ? Self.shortestInterval : min(interval * 2, Self.longestInterval)
    // No more than a tenth of the time, however long it takes.
    next = .now + max(interval, (ContinuousClock.now - start) * 9)
    isCleaning = false
  }

  /// - Returns: whether that was of use.
  private func remove() async -> Bool {
    do {
      let connection = try await PostgresConnection.open(settings.address)
      self.connection = connection
      defer { self.connection = nil }
      guard !hasEnded else { return false }
      let tables = ["state", "job"].map { "\(settings.schema).taskkit_\($0)" }.joined(separator: ", ")
      try await connection.run("VACUUM (SKIP_LOCKED, TRUNCATE FALSE, PARALLEL 0) \(tables)")
      let left = try await connection.query("SELECT pg_stat_get_dead_tuples(to_regclass($1))", [table])
      return (left.first?.integer(0) ?? .max) <= Int64(settings.mostDeadRows)
    } catch {
      // The server does it by itself, later.
      return false
    }
  }
}
#endif
