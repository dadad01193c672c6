#if Postgres
import Foundation
import TaskKitDurable

/// The tables and functions of a store in a PostgreSQL schema, and how older ones become the present ones.
///
/// The rules live on the server, as functions: each thing that a client asks for is one statement in one transaction,
/// whatever the distance, and whoever can send SQL can enqueue. Only what the first job of a sort lies on is made before, in a
/// transaction of its own.
package enum PostgresSchema {
  /// What a build makes of a schema.
  package struct Build: Sendable {
    /// Step n makes the tables of format n of those of format n - 1, and calls no function: none is there meanwhile. Never
    /// changed once released.
    package var steps: [String]
    /// What the server does with the tables of the newest format: all functions, and the triggers that call them. They are
    /// made anew with each format, so whoever changes one of them adds a step, if need be an empty one.
    package var functions: String
    /// The format that it writes. Raised with every change that an older build could not use.
    package var version: Int { steps.count }

    package init(steps: [String], functions: String) { (self.steps, self.functions) = (steps, functions) }

    /// This one.
    package static let current = Build(
      steps: [
        tables, countedStarts, versionedShelves, boundLeases, freedAttempts, boundCosts, steadyPulses, steadyLooks,
      ],
      functions: [
        checking, counting, rules, attempts, PostgresSchema.steps, rates, claiming, owners, enqueuing, transactions,
        changing,
        exchanging, telling, operations, reading,
      ].joined(separator: "\n"))
  }

  /// The format that this build writes.
  package static let version = Build.current.version

  /// Makes the tables and functions, or brings them up to date. Whoever comes second waits for the first.
  ///
  /// - Parameters:
  ///   - build: this one; a test gives others to see what becomes of schemas when there are more steps.
  ///   - patience: for how long it waits for a transaction that has used the schema and goes on, while all others wait for it.
  package static func migrate(
    _ connection: PostgresConnection, schema: String, store: String, build: Build = .current,
    patience: Duration = .seconds(5)
  ) async throws {
    try check(schema, store: store)
    if try await version(connection, schema: schema) == build.version { return }
    var conflicts = 0
    while true {
      do {
        return try await connection.inTransaction {
          try await migrateHere(connection, schema: schema, store: store, build: build, patience: patience)
        }
      } catch PostgresFailure.server("40P01", _) where conflicts < 5 {
        // A transaction in SQL locks in an order of its own. Nothing of this one has happened.
        conflicts += 1
      } catch PostgresFailure.server("55P03", _) {
        throw JobStoreError(
          .locked, store: store,
          detail:
            "a transaction that goes on, or a VACUUM, keeps the older format of schema \(schema) from being changed")
      }
    }
  }

  /// The same, in the transaction that is going.
  package static func migrateHere(
    _ connection: PostgresConnection, schema: String, store: String, build: Build = .current,
    patience: Duration = .seconds(5)
  ) async throws {
    try check(schema, store: store)
    let name = PostgresValue.quoted(schema)
    // Held until the transaction ends.
    _ = try await connection.query("SELECT pg_advisory_xact_lock(1413567308, hashtext($1))", [.text(schema)])
    // Where it is there, the right to make one may be missing.
    if try await connection.query("SELECT 1 FROM pg_namespace WHERE nspname = $1", [.text(schema)]).isEmpty {
      try await connection.run("CREATE SCHEMA \(name)")
    }
    try await connection.run("SET LOCAL search_path = \(name), pg_temp")
    let found = try await version(connection, schema: schema)
    guard found <= build.version else {
      throw JobStoreError(
        .newer(version: found, known: build.version), store: store, detail: "the format of schema \(schema) is newer")
    }
    guard found < build.version else { return }
    if found == 0 {
      try await connection.run("CREATE TABLE taskkit_format (version integer NOT NULL, identity uuid NOT NULL)")
    } else {
      try await connection.run("SET LOCAL lock_timeout = \(max(1, patience.microseconds / 1000))")
      try await connection.run(stop)
    }
    // The functions before the tables: some take rows of them.
    do {
      for text in [removal] + build.steps[found...] + [build.functions, marking] {
        try await connection.run(
          // The name comes last: whatever is in it stays.
          text.replacingOccurrences(of: "@format@", with: "\(build.version)")
            .replacingOccurrences(of: "@schema@", with: name))
      }
    } catch PostgresFailure.server(let code, let message) where found > 0 && ["42723", "42P13"].contains(code) {
      // A restore without comments takes away what its functions are known by.
      throw JobStoreError(
        .other, store: store,
        detail: """
          the format of schema \(schema) cannot be changed: \(message), without the comment by which functions of an older \
          format are known, as after a restore without comments. Drop the functions there whose names begin with taskkit_, \
          with CASCADE for the triggers that call them; they are made anew
          """)
    }
    if found == 0 {
      _ = try await connection.query(
        "INSERT INTO taskkit_format VALUES ($1, $2::uuid)", [.integer(Int64(build.version)), .text(UUID().uuidString)])
    } else {
      _ = try await connection.query("UPDATE taskkit_format SET version = $1", [.integer(Int64(build.version))])
      try await connection.run("SET LOCAL lock_timeout TO DEFAULT")
    }
  }

  /// The server cuts longer names off, so that two of them may mean one schema.
  private static func check(_ schema: String, store: String) throws {
    if let problem = problem(ofName: schema) { throw JobStoreError(.invalid, store: store, detail: problem) }
  }

  /// What of the name of a schema makes no sense; nil where it does.
  static func problem(ofName schema: String) -> String? {
    if schema.isEmpty { return "the name of a schema is empty; name one, or leave it out for 'public'" }
    if schema.utf8.contains(0) {
      return "the schema \(schema.debugDescription) has the character NUL in its name; choose one without it"
    }
    guard schema.utf8.count > 63 else { return nil }
    return
      "the name of a schema has at most 63 bytes, and that of '\(schema)' has \(schema.utf8.count); choose a shorter one"
  }

  /// Lets nothing of an older build go on meanwhile: whoever has used the schema in a transaction is waited for, so that the
  /// steps see everything, and whoever comes later finds the new format. In the order in which stores lock, who ask for the
  /// format when they hold their owner.
  private static let stop = """
    LOCK TABLE taskkit_owner IN EXCLUSIVE MODE;
    LOCK TABLE taskkit_format IN ACCESS EXCLUSIVE MODE;
    LOCK TABLE taskkit_shelf, taskkit_state IN EXCLUSIVE MODE;
    """

  /// Removes the functions of an older build, whatever they were, and the triggers that call them. What somebody else has built
  /// on one of them is not removed with it: the server refuses that, and says what it is.
  private static let removal = """
    DO $taskkit$
    DECLARE
      v_functions oid[] := ARRAY(
        SELECT p.oid FROM pg_proc p JOIN pg_namespace n ON n.oid = p.pronamespace
        WHERE n.nspname = current_schema() AND obj_description(p.oid, 'pg_proc') = '\(mark)');
      v_trigger record;
      v_text text;
    BEGIN
      FOR v_trigger IN
        SELECT t.tgname, t.tgrelid::regclass AS place FROM pg_trigger t
        WHERE NOT t.tgisinternal AND t.tgfoid = ANY (v_functions)
      LOOP
        EXECUTE format('DROP TRIGGER %I ON %s', v_trigger.tgname, v_trigger.place);
      END LOOP;
      IF v_functions <> '{}' THEN
        EXECUTE 'DROP FUNCTION ' || (SELECT string_agg(f::regprocedure::text, ', ') FROM unnest(v_functions) f);
      END IF;
    EXCEPTION WHEN dependent_objects_still_exist THEN
      GET STACKED DIAGNOSTICS v_text = PG_EXCEPTION_DETAIL;
      RAISE '%', v_text USING ERRCODE = 'dependent_objects_still_exist';
    END $taskkit$;
    """

  /// Marks the functions that this transaction has made, so that a later build knows them from those of others.
  private static let marking = """
    DO $taskkit$
    DECLARE
      v_function oid;
    BEGIN
      FOR v_function IN
        SELECT p.oid FROM pg_proc p JOIN pg_namespace n ON n.oid = p.pronamespace
        WHERE n.nspname = current_schema() AND p.xmin = pg_current_xact_id()::xid
      LOOP
        EXECUTE format('COMMENT ON FUNCTION %s IS %L', v_function::regprocedure, '\(mark)');
      END LOOP;
    END $taskkit$;
    """

  private static let mark = "Made by TaskKit, and made anew with each format."

  /// The format of the schema; 0 where there is none. All formats say it in this way.
  static func version(_ connection: PostgresConnection, schema: String) async throws -> Int {
    let table = "\(PostgresValue.quoted(schema)).taskkit_format"
    guard try await connection.query("SELECT 1 WHERE to_regclass($1) IS NOT NULL", [.text(table)]).isEmpty == false
    else { return 0 }
    return Int(try await connection.query("SELECT version::bigint FROM \(table)").first?.integer(0) ?? 0)
  }
}
#endif
