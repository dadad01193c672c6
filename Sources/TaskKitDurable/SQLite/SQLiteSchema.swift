#if Durable
import Foundation
import GRDB

/// The tables of a store in an SQLite file, and how older ones become the present ones.
///
/// Rows that change often are narrow, and what a job brings with it is written once, unless somebody changes what it asks for.
/// `taskkit_job` says what a job is; `taskkit_state` what has become of it, where that is not what it was at first;
/// `taskkit_ready`, `taskkit_due` and `taskkit_running` are what attempts begin and end with, so a claim looks at nothing else.
enum SQLiteSchema {
  /// The format that this build writes. Raised with every change that an older build could not read.
  static let version = migrations.count
  /// The format of a file whose jobs are elsewhere, which no build may use.
  static let movedVersion = 1_000_000

  /// Step n makes format n + 1 of format n. Never changed once released.
  static let migrations: [String] = [
    """
    CREATE TABLE taskkit_sequence (name TEXT PRIMARY KEY, next INTEGER NOT NULL) WITHOUT ROWID;
    INSERT INTO taskkit_sequence VALUES ('job', 1), ('token', 1), ('owner', 1);

    CREATE TABLE taskkit_name (id INTEGER PRIMARY KEY, text TEXT NOT NULL UNIQUE);

    -- Ready jobs of one queue, kind and set of constraints lie on a shelf, best first; those with a limit on one of their own.
    CREATE TABLE taskkit_shelf (
      id INTEGER PRIMARY KEY, queue INTEGER NOT NULL, kind INTEGER NOT NULL, needs TEXT NOT NULL,
      is_limited INTEGER NOT NULL, UNIQUE (queue, kind, needs, is_limited));

    CREATE TABLE taskkit_job (
      id INTEGER PRIMARY KEY, queue INTEGER NOT NULL, kind INTEGER NOT NULL, shelf INTEGER NOT NULL,
      state INTEGER NOT NULL, major INTEGER NOT NULL, minor INTEGER NOT NULL, due INTEGER NOT NULL,
      created INTEGER NOT NULL, flags INTEGER NOT NULL,
      maximum_attempts INTEGER, maximum_crashes INTEGER NOT NULL, deadline INTEGER,
      needs TEXT NOT NULL, needs_until INTEGER, unique_key TEXT, unique_period INTEGER,
      limit_key TEXT, limit_count INTEGER, parent_failure INTEGER NOT NULL, exhaustion INTEGER NOT NULL,
      keep_finished INTEGER, keep_failed INTEGER, tags TEXT, schedule TEXT, occurrence INTEGER,
      version INTEGER NOT NULL, payload BLOB NOT NULL);

    CREATE TABLE taskkit_state (
      id INTEGER PRIMARY KEY, state INTEGER NOT NULL, shelf INTEGER NOT NULL, major INTEGER NOT NULL,
      minor INTEGER NOT NULL, attempts INTEGER NOT NULL, crashes INTEGER NOT NULL, due INTEGER NOT NULL,
      flags INTEGER NOT NULL, ended INTEGER, expiry INTEGER, hold TEXT, result BLOB);
    CREATE INDEX taskkit_state_expiry ON taskkit_state (expiry) WHERE expiry IS NOT NULL;
    -- Whoever asks for jobs that are held for a reason looks at no others.
    CREATE INDEX taskkit_state_hold ON taskkit_state (id) WHERE hold IS NOT NULL;

    -- The complements of the priorities, so that the order of the law is the order of the key.
    CREATE TABLE taskkit_ready (
      shelf INTEGER NOT NULL, major INTEGER NOT NULL, minor INTEGER NOT NULL, attempts INTEGER NOT NULL,
      id INTEGER NOT NULL, since INTEGER NOT NULL, limit_key TEXT, limit_count INTEGER,
      PRIMARY KEY (shelf, major, minor, attempts, id)) WITHOUT ROWID;
    -- The jobs of a shelf with one limit are a lane: so those behind a full one are found without walking through it.
    CREATE INDEX taskkit_ready_lane ON taskkit_ready (shelf, limit_key, limit_count, major, minor, attempts, id)
      WHERE limit_key IS NOT NULL;

    -- What happens to jobs when a time comes: 0 it becomes ready, 1 it no longer waits for its constraints.
    CREATE TABLE taskkit_due (
      at INTEGER NOT NULL, id INTEGER NOT NULL, what INTEGER NOT NULL, PRIMARY KEY (at, id, what)) WITHOUT ROWID;

    CREATE TABLE taskkit_running (
      id INTEGER PRIMARY KEY, token INTEGER NOT NULL, owner INTEGER NOT NULL, attempt INTEGER NOT NULL,
      began INTEGER NOT NULL, completed INTEGER, total INTEGER);

    CREATE TABLE taskkit_edge (
      parent INTEGER NOT NULL, child INTEGER NOT NULL, place INTEGER NOT NULL, is_order INTEGER NOT NULL,
      is_open INTEGER NOT NULL, result BLOB, PRIMARY KEY (parent, child)) WITHOUT ROWID;
    CREATE INDEX taskkit_edge_child ON taskkit_edge (child);
    -- What a job still waits for, however many have ended.
    CREATE INDEX taskkit_edge_open ON taskkit_edge (child) WHERE is_open;

    CREATE TABLE taskkit_key (
      key TEXT NOT NULL, id INTEGER NOT NULL, until INTEGER, has_ended INTEGER NOT NULL, PRIMARY KEY (key, id))
      WITHOUT ROWID;
    CREATE INDEX taskkit_key_until ON taskkit_key (until) WHERE has_ended;

    CREATE TABLE taskkit_permit (key TEXT PRIMARY KEY, used INTEGER NOT NULL) WITHOUT ROWID;
    CREATE TABLE taskkit_occurrence (
      schedule TEXT NOT NULL, at INTEGER NOT NULL, id INTEGER NOT NULL, PRIMARY KEY (schedule, at)) WITHOUT ROWID;
    CREATE TABLE taskkit_schedule (
      name TEXT PRIMARY KEY, begun INTEGER NOT NULL, latest INTEGER, count INTEGER NOT NULL) WITHOUT ROWID;
    CREATE TABLE taskkit_pause (
      subject INTEGER NOT NULL, name TEXT NOT NULL, by TEXT NOT NULL, since INTEGER NOT NULL,
      PRIMARY KEY (subject, name)) WITHOUT ROWID;
    CREATE TABLE taskkit_rate (
      is_key INTEGER NOT NULL, name TEXT NOT NULL, count INTEGER NOT NULL, period INTEGER NOT NULL,
      PRIMARY KEY (is_key, name)) WITHOUT ROWID;
    CREATE TABLE taskkit_start (
      is_key INTEGER NOT NULL, name TEXT NOT NULL, at INTEGER NOT NULL, count INTEGER NOT NULL,
      PRIMARY KEY (is_key, name, at)) WITHOUT ROWID;
    CREATE TABLE taskkit_count (
      queue INTEGER NOT NULL, kind INTEGER NOT NULL, state INTEGER NOT NULL, count INTEGER NOT NULL,
      PRIMARY KEY (queue, kind, state)) WITHOUT ROWID;

    CREATE TABLE taskkit_owner (id INTEGER PRIMARY KEY, name TEXT NOT NULL, lock TEXT NOT NULL);
    CREATE TABLE taskkit_cancel (
      owner INTEGER NOT NULL, token INTEGER NOT NULL, PRIMARY KEY (owner, token)) WITHOUT ROWID;

    CREATE TABLE taskkit_error (
      id INTEGER NOT NULL, place INTEGER NOT NULL, attempt INTEGER NOT NULL, date INTEGER NOT NULL,
      cause TEXT NOT NULL, text TEXT NOT NULL, PRIMARY KEY (id, place)) WITHOUT ROWID;
    CREATE TABLE taskkit_checkpoint (id INTEGER PRIMARY KEY, data BLOB NOT NULL);
    CREATE TABLE taskkit_step (
      id INTEGER NOT NULL, name TEXT NOT NULL, result BLOB NOT NULL, PRIMARY KEY (id, name)) WITHOUT ROWID;
    """,
    """
    -- How many starts of it are written down, so that nobody adds them up.
    ALTER TABLE taskkit_rate ADD COLUMN used INTEGER NOT NULL DEFAULT 0;
    UPDATE taskkit_rate SET used = (
      SELECT coalesce(sum(s.count), 0) FROM taskkit_start s
      WHERE s.is_key = taskkit_rate.is_key AND s.name = taskkit_rate.name);
    """,
    """
    -- Jobs whose payloads are of different versions lie apart: who cannot read one of them takes none of its like. Those that are
    -- there stay where they are, on shelves of any version, which have the version 0: nothing is read of jobs, of which there may
    -- be many, or some that cannot be read. Without a change of names, which SQLite refuses where a view or a trigger of anybody in
    -- the database makes no sense.
    CREATE TABLE taskkit_old_shelf AS SELECT id, queue, kind, needs, is_limited FROM taskkit_shelf;
    DROP TABLE taskkit_shelf;
    CREATE TABLE taskkit_shelf (
      id INTEGER PRIMARY KEY, queue INTEGER NOT NULL, kind INTEGER NOT NULL, needs TEXT NOT NULL,
      is_limited INTEGER NOT NULL, version INTEGER NOT NULL, UNIQUE (queue, kind, needs, is_limited, version));
    INSERT INTO taskkit_shelf SELECT id, queue, kind, needs, is_limited, 0 FROM taskkit_old_shelf;
    DROP TABLE taskkit_old_shelf;
    """,
  ]

  /// Where the jobs of a file go to, or are; nil for a file that is in use as any other.
  static func target(_ db: Database) throws -> String? {
    guard try db.tableExists("taskkit_moved") else { return nil }
    return try String.fetchOne(db, sql: "SELECT target FROM taskkit_moved")
  }

  /// Whether a build may use a file of that format.
  ///
  /// - Throws: where it may not.
  private static func check(_ found: Int, knowing version: Int, _ db: Database, store: String) throws {
    guard found != movedVersion else {
      let target = try target(db) ?? "another store"
      throw JobStoreError(.invalid, store: store, detail: "the jobs of the file have been moved to \(target)")
    }
    guard found <= version else {
      throw JobStoreError(.newer(version: found, known: version), store: store, detail: "the file's format is newer")
    }
  }

  /// Whether this build may still use a file: a newer one may have migrated it while it was open, and then the statements of
  /// this one no longer mean what they say.
  ///
  /// - Throws: where it may not.
  static func check(_ db: Database, store: String) throws {
    let found: Int? = try db.first("SELECT version FROM taskkit_format") { try $0.value(0, of: .format, "1") }
    try check(found ?? version, knowing: version, db, store: store)
  }

  /// Makes the tables, or brings them up to date, in the transaction that is going. Who has the file open in an older format
  /// is refused from then on, see ``check(_:store:)``.
  ///
  /// - Parameter steps: those of this build; a test gives others to see what becomes of files when there are more.
  /// - Returns: the store's identity.
  static func migrate(_ db: Database, store: String, steps: [String] = migrations) throws -> UUID {
    let version = steps.count
    try db.execute(
      sql: "CREATE TABLE IF NOT EXISTS taskkit_format (version INTEGER NOT NULL, identity TEXT NOT NULL)")
    let row = try Row.fetchOne(db, sql: "SELECT version, identity FROM taskkit_format")
    let found: Int = try row.map { try $0.value(0, of: .format, "1") } ?? 0
    try check(found, knowing: version, db, store: store)
    for step in steps[found...] { try db.execute(sql: step) }
    if let row, let identity = try UUID(uuidString: row.value(1, of: .format, "1")) {
      if found < version { try db.execute(sql: "UPDATE taskkit_format SET version = ?", arguments: [version]) }
      return identity
    }
    let identity = UUID()
    try db.execute(
      sql: "INSERT INTO taskkit_format (version, identity) VALUES (?, ?)", arguments: [version, identity.uuidString])
    return identity
  }
}
#endif
