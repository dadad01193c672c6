#if Postgres
import TaskKitDurable

/// Removes the rows of jobs that are gone, and what leads to them in the indexes: each claim has to pass by that. The server
/// does it by itself, too, but looks for such tables once a minute at most, and in a minute there may be millions of them.
///
/// Whoever finds enough of them does it for all, by a connection of its own that is ended afterwards. Of two at a time the server
/// lets the second pass by what the first has. Where it is of no use, since a transaction may still look at those rows or the
/// role has no right to remove them, it is tried less and less often; and nobody begins where somebody has just been at it.
actor PostgresCleaner {
  /// The least time between two looks.
  static let shortestInterval = Duration.seconds(1)
  private static let longestInterval = Duration.seconds(60)

  private let settings: PostgresSettings
  private let table: PostgresValue
  private var connection: PostgresConnection?
  private var isCleaning = false
  private var hasEnded = false
  /// How long it waits from one time to the next, and after others.
  private(set) var interval = shortestInterval
  private var next = ContinuousClock.now

  init(_ settings: PostgresSettings) {
    self.settings = settings
    table = .text("\(settings.schema).taskkit_state")
  }

  /// Whether there is so much to remove that it is worth while: that has to go through all entries of the indexes, so it waits for
  /// more where there are many. Who has found that it is of no use also waits for as long after what others have done.
  var question: PostgresStatement {
    PostgresStatement(
      """
      SELECT pg_stat_get_dead_tuples(t) > $2 + pg_stat_get_live_tuples(t) / 10
        AND coalesce(pg_stat_get_last_vacuum_time(t) < clock_timestamp() - $3 * interval '1 microsecond', true)
        AND NOT EXISTS (SELECT 1 FROM pg_stat_progress_vacuum WHERE relid = t)
      FROM to_regclass($1) t
      """, [table, .integer(Int64(settings.mostDeadRows)), .integer(interval.microseconds)])
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

  /// Removes them now.
  func clean() async {
    let start = ContinuousClock.now
    switch await remove() {
    case .useful: interval = Self.shortestInterval
    case .useless: interval = min(interval * 2, Self.longestInterval)
    case .unknown: break
    }
    // No more than a tenth of the time, however long it takes.
    next = .now + max(interval, (ContinuousClock.now - start) * 9)
    isCleaning = false
  }

  private enum Outcome {
    case useful, useless
    /// Somebody else was at it, or the server has not counted again yet: until version 14 it does that twice a second.
    case unknown
  }

  private func remove() async -> Outcome {
    do {
      let connection = try await PostgresConnection.open(settings.address)
      self.connection = connection
      defer { self.connection = nil }
      guard !hasEnded, let before = try await count(connection), before.mayClean else { return .useless }
      func vacuum(_ table: String) async throws {
        try await connection.run("VACUUM (SKIP_LOCKED, TRUNCATE FALSE, PARALLEL 0) \(settings.schema).taskkit_\(table)")
      }
      try await vacuum("state")
      // Before the other one, during which more rows die.
      let after = try await count(connection)
      try await vacuum("job")
      guard let after, after.vacuumed != before.vacuumed else { return .unknown }
      // Others die all the time: at twenty thousand jobs a second as many as that are there again after one.
      return after.dead < before.dead / 2 ? .useful : .useless
    } catch {
      // The server does it by itself, later.
      return .useless
    }
  }

  /// How many rows are to be removed, when somebody has done so last, and whether this role may; nil where there is no table.
  private func count(
    _ connection: PostgresConnection
  ) async throws -> (dead: Int64, vacuumed: Int64?, mayClean: Bool)? {
    let row = try await connection.query(
      """
      SELECT pg_stat_get_dead_tuples(t.oid), (extract(epoch FROM pg_stat_get_last_vacuum_time(t.oid)) * 1000000)::bigint,
        pg_has_role(t.relowner, 'USAGE') OR pg_has_role(d.datdba, 'USAGE')
        OR CASE WHEN current_setting('server_version_num')::integer >= 170000
          THEN has_table_privilege(t.oid, 'MAINTAIN') ELSE false END
      FROM pg_class t, pg_database d WHERE t.oid = to_regclass($1) AND d.datname = current_database()
      """, [table]
    ).first
    return row.map { ($0.integer(0) ?? 0, $0.integer(1), $0.flag(2) == true) }
  }
}
#endif
