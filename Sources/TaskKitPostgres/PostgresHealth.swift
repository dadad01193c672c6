#if Postgres
public import Foundation

/// What slows the store of a server down, as far as the server tells.
public struct PostgresHealth: Hashable, Sendable {
  /// A transaction that may still look at rows which everybody else has done with, or that has written something: what was done
  /// with since then cannot be tidied up. What tidies up itself is none.
  public struct Snapshot: Hashable, Sendable {
    /// How long it has been open.
    public var age: Duration
    /// What its program calls itself: the `application_name` of its address.
    public var name: String
    /// The number of its process at the server; nil for a prepared transaction.
    public var process: Int?
  }

  /// That the connection which tells what others have done, and that this process lives, fails again and again. The one for
  /// writing keeps the process's lease meanwhile, and the process looks by itself every fifth of that.
  public struct Watch: Hashable, Sendable {
    /// How often it has failed in a row.
    public var failures: Int
    /// Why it has failed the last time.
    public var reason: String
    /// Since the first of these failures.
    public var age: Duration
  }

  /// As the server writes it: 150004 is 15.4.
  public var serverVersion: Int
  /// The oldest one; nil where there is none.
  public var oldestSnapshot: Snapshot?
  /// The rows of jobs that are there, as last counted by the server.
  public var liveRows: Int
  /// The rows of jobs that have ended and were not tidied up yet, as last counted by the server.
  public var deadRows: Int
  /// When dead rows were removed the last time; nil for never.
  public var lastVacuum: Date?
  /// The processes that share the store.
  public var owners: Int
  /// Nil where it works.
  public var watch: Watch?

  /// What is wrong, and what to do about it; empty where nothing is.
  public var problems: [String] { watchProblems + rowProblems }

  private var watchProblems: [String] {
    guard let watch else { return [] }
    return [
      """
      the connection that watches has failed \(watch.failures) times in \(watch.age.components.seconds) s: \
      \(watch.reason). What others do is noticed late. Each process needs one for watching and one for writing; see that \
      the server has enough
      """
    ]
  }

  private var rowProblems: [String] {
    guard deadRows > 10_000, deadRows > liveRows else { return [] }
    guard let oldestSnapshot, oldestSnapshot.age > .seconds(60) else {
      return [
        """
        \(deadRows) rows of jobs that have ended were not tidied up. See that autovacuum is on, and comes to its end: \
        pg_stat_progress_vacuum shows it
        """
      ]
    }
    let seconds = oldestSnapshot.age.components.seconds
    return [
      """
      a transaction of '\(oldestSnapshot.name)' has been open for \(seconds) s: \(deadRows) rows of jobs that have ended \
      cannot be tidied up before it ends, and each makes claims slower. End it\
      \(oldestSnapshot.process.map { " (SELECT pg_terminate_backend(\($0)))" } ?? ""), run long reports on a replica, and \
      set idle_in_transaction_session_timeout
      """
    ]
  }
}

extension PostgresStore {
  /// How the server copes: one statement that reads no job.
  ///
  /// What other roles do is seen only by a role that has `pg_read_all_stats`. What a replica keeps from being tidied up is not
  /// told.
  ///
  /// - Throws: `JobStoreError`.
  public func health() async throws -> PostgresHealth {
    let rows = try await query(
      """
      SELECT current_setting('server_version_num')::bigint,
        (extract(epoch FROM clock_timestamp() - o.since) * 1000000)::bigint, o.name, o.pid, t.n_live_tup, t.n_dead_tup,
        (extract(epoch FROM greatest(t.last_vacuum, t.last_autovacuum)) * 1000000)::bigint,
        (SELECT count(*) FROM \(schema).taskkit_owner)
      FROM (VALUES (1)) v LEFT JOIN LATERAL (
        SELECT xact_start AS since, application_name AS name, pid::bigint FROM pg_stat_activity
        WHERE (backend_xmin IS NOT NULL OR backend_xid IS NOT NULL) AND datname = current_database()
          AND backend_type = 'client backend'
          AND pid <> pg_backend_pid() AND pid NOT IN (SELECT pid FROM pg_stat_progress_vacuum)
        UNION ALL SELECT prepared, gid, NULL FROM pg_prepared_xacts WHERE database = current_database()
        ORDER BY since LIMIT 1) o ON true
      LEFT JOIN pg_stat_user_tables t ON t.relid = to_regclass($1)
      """, [.text("\(schema).taskkit_state")])
    let row = rows.first
    func number(_ column: Int) -> Int { Int(row?.integer(column) ?? 0) }
    return PostgresHealth(
      serverVersion: number(0),
      oldestSnapshot: row?.integer(1).map { age in
        PostgresHealth.Snapshot(
          age: .microseconds(age), name: row?.text(2) ?? "", process: row?.integer(3).map(Int.init))
      },
      liveRows: number(4), deadRows: number(5),
      lastVacuum: row?.integer(6).map { Date(timeIntervalSince1970: Double($0) / 1_000_000) }, owners: number(7),
      watch: try watchTrouble)
  }
}
#endif
