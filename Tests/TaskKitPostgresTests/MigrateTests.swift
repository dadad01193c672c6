import Foundation
import GRDB
import TaskKitDurable
import TaskKitDurableTesting
@testable import TaskKitPostgres
import Testing

/// The program `taskkit-migrate`, which lies beside that of the tests.
@Suite(.serialized, .timeLimit(.minutes(15))) struct MigrateTests {
  private let date = Date(timeIntervalSince1970: 1_767_225_600)
  private var environment: StoreEnvironment { StoreEnvironment(now: { [date] in date }, owner: "the app") }

  private func migrate(
    _ arguments: String..., variables: [String: String] = [:]
  ) async throws -> (code: Int32, output: String, error: String) {
    let process = Process()
    let (output, error) = (Pipe(), Pipe())
    let tests = CommandLine.arguments.first { $0.contains(".xctest") } ?? CommandLine.arguments[0]
    let bundle = String(tests[..<(tests.range(of: ".xctest")?.upperBound ?? tests.endIndex)])
    process.executableURL = URL(filePath: bundle).deletingLastPathComponent().appending(path: "taskkit-migrate")
    process.arguments = arguments
    process.environment = ProcessInfo.processInfo.environment.merging(variables) { $1 }
    process.standardOutput = output
    process.standardError = error
    try process.run()
    let reading = (output.fileHandleForReading, error.fileHandleForReading)
    return await withCheckedContinuation { continuation in
      // A thread of its own, which ends with the process: waiting holds it.
      Thread.detachNewThread {
        let texts = [reading.0, reading.1].map { String(decoding: $0.readDataToEndOfFile(), as: UTF8.self) }
        process.waitUntilExit()
        continuation.resume(returning: (process.terminationStatus, texts[0], texts[1]))
      }
    }
  }

  private func withFolder<Value>(_ body: (URL) async throws -> Value) async throws -> Value {
    let folder = FileManager.default.temporaryDirectory.appending(path: "TaskKitMigrate-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    return try await body(folder.appending(path: "jobs.sqlite"))
  }

  private func job(_ change: (inout NewJob) -> Void = { _ in }) -> NewJob {
    var job = NewJob(kind: "Upload", payload: JobPayload(version: 2, bytes: Data([0, 255, 7])))
    change(&job)
    return job
  }

  /// Jobs in every state, with everything that a job may have.
  private func fill(_ store: some JobStore) async throws {
    let claim = JobExchange.Claim(queue: "default", limit: 9, kinds: [.init("Upload", limit: 9)])
    let kept = JobRetention(finished: nil, failed: .seconds(9000))
    try await store.setRate(RateLimit(9, per: .seconds(100)), ofQueue: "default")
    try await store.setRate(RateLimit(2, per: .seconds(100)), ofKey: "account")
    _ = try await store.enqueue([
      job {
        $0.retention = kept
        $0.limit = KeyLimit("account", count: 2)
      }, job { $0.retention = kept }, job(),
    ])
    let claimed = try await store.exchange(JobExchange(claims: [claim])).claimed
    let keys = claimed.map { AttemptKey(job: $0.id, token: $0.token) }
    _ = try await store.exchange(
      JobExchange(
        notes: [(keys[2], .checkpoint(Data("half".utf8))), (keys[2], .step("charge", Data("paid".utf8)))],
        ends: [
          (keys[0], .succeeded(result: Data("r".utf8))), (keys[1], .gaveUp(.error, "never")),
          (keys[2], .failed(.deadline, "late", retryAfter: .seconds(100))),
        ]))
    let ids = try await store.enqueue([
      job {
        $0.queue = "photos"
        $0.priority = JobPriority(major: .max, minor: .min)
        $0.maximumAttempts = nil
        $0.deadline = .seconds(5)
        $0.constraints = ["network", "charging"]
        $0.constraintsUntil = .after(.seconds(60))
        $0.unique = UniqueKey("key", .append, period: .seconds(500))
        $0.limit = KeyLimit("account", count: 2)
        $0.tags = ["red", "blue"]
        $0.occurrence = JobOccurrence(schedule: "digest", date: date)
      },
      job { $0.unique = UniqueKey("key", .append) },
      job {
        $0.parents = [.inBatch(0), .job(claimed[0].id)]
        $0.parentFailure = .run
        $0.exhaustion = .hold
      }, job(), job(), job { $0.constraints = ["network"] },
    ]).map(\.id)
    _ = try await store.change(JobSelection(ids: [ids[3]]), .hold("wait"))
    _ = try await store.change(JobSelection(ids: [ids[4]]), .cancel)
    try await store.setPaused(true, .kind("Other"), by: "Ann")
    try await store.setRate(RateLimit(3, per: .seconds(10)), ofQueue: "photos")
    _ = try await store.schedule("weekly", beginning: date - 60)
  }

  @Test func `a file's jobs are on the server as they were, with their ids`() async throws {
    try await PostgresFixture.with { fixture in
      try await withFolder { file in
        let source = SQLiteStore(at: file)
        let opening = try await source.open(environment)
        try await fill(source)
        let jobs = try await source.jobs(.all, after: nil, limit: 99)
        let (counts, pauses, rates) = (
          try await source.counts(), try await source.pauses(), try await source.rates()
        )
        #expect(rates.map(\.free) == [6, 3, 1])
        #expect(Set(jobs.map(\.state)) == [.ready, .delayed, .waiting, .held, .finished, .dead, .cancelled])
        await source.close()

        let trial = try await migrate(file.path, fixture.address, "--schema", fixture.schema, "--dry-run")
        #expect(trial.code == 0)
        #expect(trial.output.contains("\(jobs.count) jobs"))
        #expect(
          try await fixture.query("SELECT 1 FROM pg_namespace WHERE nspname = $1", [.text(fixture.schema)]).isEmpty)
        #expect(FileManager.default.fileExists(atPath: file.path))

        let move = try await migrate(file.path, fixture.address, "--schema", fixture.schema)
        #expect(move.code == 0, "\(move.error)")
        #expect(!FileManager.default.fileExists(atPath: file.path))
        #expect(FileManager.default.fileExists(atPath: file.path + ".moved"))

        let target = fixture.makeStore()
        #expect(try await target.open(environment).identity == opening.identity)
        #expect(try await target.jobs(.all, after: nil, limit: 99) == jobs)
        #expect(try await target.counts() == counts)
        #expect(try await target.pauses() == pauses)
        #expect(try await target.rates() == rates)
        #expect(
          try await target.schedule("weekly", beginning: date)
            == ScheduleRecord(begun: date - 60, latest: nil, count: 0))
        #expect(
          try await target.schedule("digest", beginning: date + 60)
            == ScheduleRecord(begun: date, latest: date, count: 1))
        #expect(try await target.step("charge", of: jobs[2].id) == Data("paid".utf8))
        let claim = JobExchange.Claim(
          queue: "photos", limit: 9, kinds: [.init("Upload", limit: 9)], satisfied: ["network", "charging"])
        let first = try #require(try await target.exchange(JobExchange(claims: [claim])).claimed.first)
        #expect(first.occurrence == JobOccurrence(schedule: "digest", date: date))
        #expect(first.token.rawValue > 3)
        _ = try await target.exchange(
          JobExchange(ends: [(AttemptKey(job: first.id, token: first.token), .succeeded(result: Data("p".utf8)))]))
        // Those that waited for it are ready, and its occurrence stays taken.
        #expect(try await target.jobs(JobSelection(states: [.waiting]), after: nil, limit: 9).isEmpty)
        let again = try await target.enqueue([job { $0.occurrence = JobOccurrence(schedule: "digest", date: date) }])
        #expect(again[0].outcome == .kept)
        #expect(try await target.enqueue([job()])[0].id > jobs.last!.id)
        await target.close()

        let second = try await migrate(file.path + ".moved", fixture.address, "--schema", fixture.schema)
        #expect(second.code == 1)
        #expect(second.error.contains("have been moved to schema"))
        let other = file.deletingLastPathComponent().appending(path: "other.sqlite")
        try await fill(other, jobs: 1)
        let third = try await migrate(other.path, fixture.address, "--schema", fixture.schema)
        #expect(third.code == 1)
        #expect(third.error.contains("has had jobs of its own"))
      }
    }
  }

  /// An older build of the program wrote no more shelves than jobs lay on.
  @Test(arguments: [false, true])
  func `constraints of a moved job that count until a time do not count afterwards`(isOfOlderBuild: Bool) async throws {
    try await PostgresFixture.with { fixture in
      try await withFolder { file in
        let source = SQLiteStore(at: file)
        _ = try await source.open(environment)
        _ = try await source.enqueue([
          job {
            $0.constraints = ["network"]
            $0.constraintsUntil = .after(.seconds(60))
          }
        ])
        await source.close()
        let move = try await migrate(file.path, fixture.address, "--schema", fixture.schema)
        #expect(move.code == 0, "\(move.error)")
        if isOfOlderBuild { try await fixture.query("DELETE FROM \(fixture.quoted).taskkit_shelf WHERE needs = '{}'") }
        let claim = JobExchange(claims: [.init(queue: "default", limit: 9, kinds: [.init("Upload", limit: 9)])])
        for (time, count) in [(59.0, 0), (61, 1)] {
          let target = fixture.makeStore()
          _ = try await target.open(StoreEnvironment(now: { [date] in date + time }, owner: "the app"))
          #expect(try await target.exchange(claim).claimed.count == count)
          await target.close()
        }
      }
    }
  }

  @Test func `a file that is in use, or not there, is not moved`() async throws {
    try await PostgresFixture.with { fixture in
      try await withFolder { file in
        let missing = try await migrate(file.path, fixture.address)
        #expect(missing.code == 1)
        #expect(missing.error.contains("there is no file"))
        let source = SQLiteStore(at: file)
        _ = try await source.open(environment)
        _ = try await source.enqueue([job()])
        let used = try await migrate(file.path, fixture.address, "--schema", fixture.schema)
        #expect(used.code == 1)
        #expect(used.error.contains("is in use by the app"))
        #expect(try await source.counts().map(\.count) == [1])
        await source.close()
      }
    }
  }

  @Test func `what is no file of jobs is told by its name, and so is an address that comes first`() async throws {
    let address = "postgresql://me:secret@localhost:1/app"
    try await withFolder { file in
      try Data("Dear Sir or Madam,".utf8).write(to: file)
      let text = try await migrate(file.path, address)
      #expect(text.code == 1 && text.error.contains("\(file.lastPathComponent) is not a file of jobs"), "\(text.error)")
      let folder = file.deletingLastPathComponent()
      let whole = try await migrate(folder.path, address)
      #expect(whole.code == 1 && whole.error.contains("\(folder.lastPathComponent) cannot be opened"), "\(whole.error)")
      let turned = try await migrate(address, file.path)
      #expect(turned.code == 2 && turned.error.contains("the file comes first"), "\(turned.error)")
      #expect(!turned.error.contains("secret"))
    }
  }

  @Test func `a process that has died keeps no jobs from being moved when its lease has passed`() async throws {
    try await PostgresFixture.with { fixture in
      try await withFolder { file in
        let source = SQLiteStore(at: file)
        _ = try await source.open(environment)
        _ = try await source.enqueue([job()])
        await source.close()
        let target = PostgresStore(at: fixture.address, schema: fixture.schema)
        _ = try await target.open(StoreEnvironment(owner: "the dead one"))
        let owner = try #require(await target.owner)
        await target.die()
        let early = try await migrate(file.path, fixture.address, "--schema", fixture.schema)
        #expect(early.error.contains("is in use by the dead one"))
        try await fixture.expireLease(of: owner)
        let move = try await migrate(file.path, fixture.address, "--schema", fixture.schema)
        #expect(move.code == 0, "\(move.error)")
      }
    }
  }

  @Test func `jobs are not moved to a store that is in use, nor to a server that is not there`() async throws {
    try await PostgresFixture.with { fixture in
      try await withFolder { file in
        let source = SQLiteStore(at: file)
        _ = try await source.open(environment)
        _ = try await source.enqueue([job()])
        await source.close()
        let target = fixture.makeStore()
        _ = try await target.open(environment)
        let used = try await migrate(file.path, fixture.address, "--schema", fixture.schema)
        #expect(used.code == 1)
        #expect(used.error.contains("is in use by the app"))
        await target.close()
        let missing = try await migrate(file.path, "host=/nowhere dbname=jobs")
        #expect(missing.code == 1)
        #expect(missing.error.contains("cannot be reached"))
        let move = try await migrate(file.path, fixture.address, "--schema", fixture.schema)
        #expect(move.code == 0)
      }
    }
  }

  private func fill(_ file: URL, jobs: Int) async throws {
    let store = SQLiteStore(at: file)
    _ = try await store.open(environment)
    _ = try await store.enqueue(Array(repeating: job(), count: jobs))
    await store.close()
  }

  /// The number of jobs that a program finds in the file; nil where it must not use it.
  private func jobs(in file: URL) async throws -> Int? {
    let store = SQLiteStore(at: file)
    do {
      _ = try await store.open(environment)
    } catch let error as JobStoreError {
      #expect(error.reason == .invalid && error.description.contains("have been moved to schema"))
      return nil
    }
    let count = try await store.jobs(.all, after: nil, limit: .max).count
    await store.close()
    return count
  }

  /// Makes the tables, and does something when whoever has written jobs there commits.
  private func atCommit(_ fixture: PostgresFixture, _ statement: String) async throws {
    let store = fixture.makeStore()
    _ = try await store.open(environment)
    await store.close()
    try await fixture.query(
      """
      CREATE FUNCTION \(fixture.quoted).at_commit() RETURNS trigger LANGUAGE plpgsql
      AS $$ BEGIN \(statement); RETURN NULL; END $$
      """)
    try await fixture.query(
      """
      CREATE CONSTRAINT TRIGGER at_commit AFTER INSERT ON \(fixture.quoted).taskkit_job DEFERRABLE INITIALLY DEFERRED
      FOR EACH ROW EXECUTE FUNCTION \(fixture.quoted).at_commit()
      """)
  }

  @Test func `more rows than are read at a time arrive, each once`() async throws {
    try await PostgresFixture.with { fixture in
      try await withFolder { file in
        let source = SQLiteStore(at: file)
        _ = try await source.open(environment)
        let count = 2500
        for start in stride(from: 0, to: count, by: 500) {
          let jobs = (start..<start + 500).map { place in
            job { new in
              new.unique = UniqueKey("key \(place % 7) of \(place)")
              new.occurrence = JobOccurrence(schedule: "s \(place)", date: date + Double(place))
              let isFirst = place == start
              if place > 0 {
                new.parents = [isFirst ? .job(JobID(rawValue: Int64(place))) : .inBatch(place - start - 1)]
              }
            }
          }
          _ = try await source.enqueue(jobs)
        }
        let jobs = try await source.jobs(.all, after: nil, limit: .max)
        await source.close()
        let move = try await migrate(file.path, fixture.address, "--schema", fixture.schema)
        #expect(move.code == 0, "\(move.error)")
        for line in ["\(count) jobs", "\(count - 1) dependencies", "\(count) unique keys", "\(count) schedules"] {
          #expect(move.output.contains("  \(line)\n"), "\(move.output)")
        }
        let target = fixture.makeStore()
        _ = try await target.open(environment)
        #expect(try await target.jobs(.all, after: nil, limit: .max) == jobs)
        await target.close()
      }
    }
  }

  @Test func `when the server does not commit, the file goes on being used`() async throws {
    try await PostgresFixture.with { fixture in
      try await withFolder { file in
        try await fill(file, jobs: 1)
        try await atCommit(fixture, "RAISE EXCEPTION 'never'")
        let move = try await migrate(file.path, fixture.address, "--schema", fixture.schema)
        #expect(move.code == 1)
        #expect(move.error.contains("never") && move.error.contains("nothing was moved"))
        #expect(try await jobs(in: file) == 1)
      }
    }
  }

  @Test func `when nobody knows whether the server has committed, nobody uses the file, and the next run goes on`()
    async throws
  {
    try await PostgresFixture.with { fixture in
      try await withFolder { file in
        try await fill(file, jobs: 1)
        try await atCommit(fixture, "PERFORM pg_terminate_backend(pg_backend_pid())")
        let lost = try await migrate(file.path, fixture.address, "--schema", fixture.schema)
        #expect(lost.code == 1)
        #expect(lost.error.contains("do the same again") || lost.error.contains("done the same again"))
        #expect(try await jobs(in: file) == nil)
        let elsewhere = try await migrate(file.path, fixture.address, "--schema", "other")
        #expect(elsewhere.error.contains("an earlier run was moving the jobs"))
        try await fixture.query("DROP TRIGGER at_commit ON \(fixture.quoted).taskkit_job")
        let again = try await migrate(file.path, fixture.address, "--schema", fixture.schema)
        #expect(again.code == 0, "\(again.error)")
        #expect(again.output.contains("1 jobs"))
        let target = fixture.makeStore()
        _ = try await target.open(environment)
        #expect(try await target.jobs(.all, after: nil, limit: 9).count == 1)
        await target.close()
      }
    }
  }

  @Test func `where nobody knows whether the server has committed, the same address does not lead to another database`()
    async throws
  {
    try await PostgresFixture.with { fixture in
      let other = "D-\(UUID().uuidString)"
      let connection = try await PostgresConnection.open(fixture.address)
      try await connection.run("CREATE DATABASE \(PostgresValue.quoted(other))")
      try await withFolder { file in
        try await fill(file, jobs: 1)
        try await atCommit(fixture, "PERFORM pg_terminate_backend(pg_backend_pid())")
        let options = try #require(PostgresAddress.options(of: fixture.address))
        let database = try #require(options["dbname"])
        let server = options.filter { $0.key != "dbname" }.map { "\($0.key)='\($0.value)'" }.joined(separator: " ")
        func move(to database: String) async throws -> (code: Int32, output: String, error: String) {
          try await migrate(file.path, server, "--schema", fixture.schema, variables: ["PGDATABASE": database])
        }
        #expect(try await move(to: database).code == 1)
        #expect(try await jobs(in: file) == nil)
        let elsewhere = try await move(to: other)
        #expect(elsewhere.code == 1)
        #expect(elsewhere.error.contains("an earlier run was moving the jobs"))
        try await fixture.query("DROP TRIGGER at_commit ON \(fixture.quoted).taskkit_job")
        // However the address says it.
        let again = try await migrate(file.path, fixture.address, "--schema", fixture.schema)
        #expect(again.code == 0, "\(again.error)")
      }
      try await connection.run("DROP DATABASE \(PostgresValue.quoted(other))")
      await connection.end()
    }
  }

  @Test(arguments: [
    "REVOKE EXECUTE ON FUNCTION pg_control_system FROM PUBLIC",
    "ALTER FUNCTION pg_control_system RENAME TO pg_control_nothing",
  ])
  func `jobs are moved to a server that does not say which one it is`(_ silence: String) async throws {
    try await PostgresFixture.with { fixture in
      let (role, other) = ("R-\(UUID().uuidString)", "D-\(UUID().uuidString)")
      let (quotedRole, quotedOther) = (PostgresValue.quoted(role), PostgresValue.quoted(other))
      var options = try #require(PostgresAddress.options(of: fixture.address))
      options["dbname"] = other
      func address() -> String { options.map { "\($0.key)='\($0.value)'" }.joined(separator: " ") }
      let connection = try await PostgresConnection.open(fixture.address)
      try await connection.run("CREATE ROLE \(quotedRole) LOGIN")
      try await connection.run("CREATE DATABASE \(quotedOther) OWNER \(quotedRole)")
      // It is closed when nobody holds it.
      try await PostgresConnection.open(address()).run(silence)
      options["user"] = role
      try await withFolder { file in
        try await fill(file, jobs: 1)
        let move = try await migrate(file.path, address(), "--schema", fixture.schema)
        #expect(move.code == 0, "\(move.error)")
        #expect(try await jobs(in: URL(filePath: file.path + ".moved")) == nil)
      }
      try await connection.run("DROP DATABASE \(quotedOther)")
      try await connection.run("DROP ROLE \(quotedRole)")
      await connection.end()
    }
  }

  @Test func `whatever fails after the commit, nobody uses the file, and the next run puts it aside`() async throws {
    try await PostgresFixture.with { fixture in
      // The server has to write into it.
      let folder = URL(filePath: "/tmp/TaskKitMigrate-\(UUID().uuidString)")
      try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
      try FileManager.default.setAttributes([.posixPermissions: 0o777], ofItemAtPath: folder.path)
      defer { try? FileManager.default.removeItem(at: folder) }
      let file = folder.appending(path: "jobs.sqlite")
      try await fill(file, jobs: 1)
      try await atCommit(fixture, "COPY (SELECT 1) TO '\(file.path).moved'")
      let move = try await migrate(file.path, fixture.address, "--schema", fixture.schema)
      #expect(move.code == 0, "\(move.error)")
      #expect(move.output.contains("could not be renamed"))
      #expect(try await jobs(in: file) == nil)
      let blocked = try await migrate(file.path, fixture.address, "--schema", fixture.schema)
      #expect(blocked.error.contains("is there already"))
      try FileManager.default.removeItem(atPath: file.path + ".moved")
      let again = try await migrate(file.path, fixture.address, "--schema", fixture.schema)
      #expect(again.code == 0, "\(again.error)")
      #expect(!FileManager.default.fileExists(atPath: file.path))
      #expect(try await jobs(in: URL(filePath: file.path + ".moved")) == nil)
    }
  }

  @Test func `a file that a program has tables in stays where it is, and no store opens its jobs any more`()
    async throws
  {
    try await PostgresFixture.with { fixture in
      try await withFolder { file in
        let program = try DatabasePool(path: file.path)
        try await program.write {
          try $0.execute(sql: "CREATE TABLE orders (id INTEGER PRIMARY KEY); INSERT INTO orders VALUES (1)")
        }
        let source = SQLiteStore(sharing: program)
        _ = try await source.open(environment)
        _ = try await source.enqueue([job()])
        await source.close()
        let trial = try await migrate(file.path, fixture.address, "--schema", fixture.schema, "--dry-run")
        #expect(trial.code == 0, "\(trial.error)")
        #expect(trial.output.contains("The file would stay where it is, since it has other tables: orders.\n"))
        #expect(try await jobs(in: file) == 1)
        // One run ends at the wrong moment, the next one goes on, and another one has nothing to do.
        try await atCommit(fixture, "PERFORM pg_terminate_backend(pg_backend_pid())")
        let lost = try await migrate(file.path, fixture.address, "--schema", fixture.schema)
        #expect(lost.code == 1)
        #expect(try await jobs(in: file) == nil)
        try await fixture.query("DROP TRIGGER at_commit ON \(fixture.quoted).taskkit_job")
        for _ in 0..<2 {
          let move = try await migrate(file.path, fixture.address, "--schema", fixture.schema)
          #expect(move.code == 0, "\(move.error)")
          #expect(move.output.contains("  1 jobs\n"))
          #expect(move.output.contains("The file stays where it is, since it has other tables: orders. Its jobs are"))
          #expect(try await jobs(in: file) == nil)
        }
        #expect(!FileManager.default.fileExists(atPath: file.path + ".moved"))
        let orders = try await program.write { db in
          try db.execute(sql: "INSERT INTO orders VALUES (2)")
          return try Int.fetchAll(db, sql: "SELECT id FROM orders ORDER BY id")
        }
        #expect(orders == [1, 2])
        let next = SQLiteStore(sharing: program)
        let error = await #expect(throws: JobStoreError.self) { try await next.open(environment) }
        #expect(error?.description.contains("have been moved to schema") == true)
        try program.close()
        let target = fixture.makeStore()
        _ = try await target.open(environment)
        #expect(try await target.jobs(.all, after: nil, limit: 9).count == 1)
        await target.close()
      }
    }
  }

  @Test func `the server has the jobs on its disk before the file is put aside, whatever its role has`() async throws {
    try await PostgresFixture.with { fixture in
      try await withFolder { file in
        try await fill(file, jobs: 1)
        try await fixture.query("CREATE SCHEMA \(fixture.quoted)")
        try await fixture.query("CREATE TABLE \(fixture.quoted).seen (value text)")
        try await atCommit(fixture, "INSERT INTO \(fixture.quoted).seen VALUES (current_setting('synchronous_commit'))")
        let address = fixture.address + " options='-c synchronous_commit=off'"
        let move = try await migrate(file.path, address, "--schema", fixture.schema)
        #expect(move.code == 0, "\(move.error)")
        let seen = try await fixture.query("SELECT value FROM \(fixture.quoted).seen").map { $0.text(0) }
        #expect(seen == ["on"])
      }
    }
  }

  @Test func `a trial changes nothing, neither in a store's file nor in another one`() async throws {
    try await PostgresFixture.with { fixture in
      try await withFolder { file in
        let foreign = file.deletingLastPathComponent().appending(path: "orders.sqlite")
        let orders = try DatabaseQueue(path: foreign.path)
        try await orders.write { try $0.execute(sql: "CREATE TABLE orders (id INTEGER PRIMARY KEY)") }
        try orders.close()
        let bytes = try Data(contentsOf: foreign)
        let wrong = try await migrate(foreign.path, fixture.address, "--schema", fixture.schema, "--dry-run")
        #expect(wrong.code == 1)
        #expect(wrong.error.contains("is not a file of jobs"))
        #expect(try Data(contentsOf: foreign) == bytes)
        let names = try FileManager.default.contentsOfDirectory(atPath: file.deletingLastPathComponent().path)
        #expect(names == ["orders.sqlite"])

        // A job of a process that has died: the move gives it back, a trial does not.
        let store = SQLiteStore(at: file)
        _ = try await store.open(environment)
        _ = try await store.enqueue([job()])
        let claim = JobExchange.Claim(queue: "default", limit: 9, kinds: [.init("Upload", limit: 9)])
        #expect(try await store.exchange(JobExchange(claims: [claim])).claimed.count == 1)
        store.die()
        let trial = try await migrate(file.path, fixture.address, "--schema", fixture.schema, "--dry-run")
        #expect(trial.code == 0, "\(trial.error)")
        let database = try DatabaseQueue(path: file.path)
        let running = try await database.read { try Int.fetchOne($0, sql: "SELECT count(*) FROM taskkit_running") }
        #expect(running == 1)
        try database.close()
        let move = try await migrate(file.path, fixture.address, "--schema", fixture.schema)
        #expect(move.code == 0, "\(move.error)")
        let target = fixture.makeStore()
        _ = try await target.open(environment)
        #expect(try await target.jobs(.all, after: nil, limit: 9).map(\.crashes) == [1])
        await target.close()
      }
    }
  }

  @Test func `a file that is named by a link is moved, and not the link`() async throws {
    try await PostgresFixture.with { fixture in
      try await withFolder { file in
        try await fill(file, jobs: 1)
        let link = file.deletingLastPathComponent().appending(path: "link.sqlite")
        try FileManager.default.createSymbolicLink(at: link, withDestinationURL: file)
        let move = try await migrate(link.path, fixture.address, "--schema", fixture.schema)
        #expect(move.code == 0, "\(move.error)")
        #expect(move.output.contains("\(file.path).moved\n"))
        #expect(!FileManager.default.fileExists(atPath: file.path))
        #expect(FileManager.default.fileExists(atPath: file.path + ".moved"))
      }
    }
  }

  @Test func `who has not heard that a file was moved is told so, and where its jobs are`() async throws {
    try await PostgresFixture.with { fixture in
      try await withFolder { file in
        try await fill(file, jobs: 1)
        let move = try await migrate(file.path, fixture.address, "--schema", fixture.schema)
        #expect(move.code == 0, "\(move.error)")
        let again = try await migrate(file.path, fixture.address, "--schema", fixture.schema)
        #expect(again.code == 1)
        #expect(again.error.contains("it was put aside as") && again.error.contains("\(file.path).moved"))
        let aside = try await migrate(file.path + ".moved", fixture.address, "--schema", fixture.schema)
        #expect(aside.error.contains("have been moved to schema"))
      }
    }
  }

  #if os(macOS) || os(Linux) || os(Windows)
  @Test func `jobs of any size are moved in pieces that a machine can hold`() async {
    // A process of its own, since one that is started is taken to have used as much as who starts it: other tests use more.
    await #expect(processExitsWith: .success) { try await MigrateTests().moveLargeJobs() }
  }
  #endif

  private func moveLargeJobs() async throws {
    try await PostgresFixture.with { fixture in
      try await withFolder { file in
        let store = SQLiteStore(at: file)
        _ = try await store.open(environment)
        let large = job { $0.payload.bytes = Data(repeating: 7, count: 2 << 20) }
        for _ in 0..<8 { _ = try await store.enqueue(Array(repeating: large, count: 8)) }
        await store.close()
        let move = try await migrate(file.path, fixture.address, "--schema", fixture.schema)
        #expect(move.code == 0, "\(move.error)")
        let size = try await fixture.query("SELECT sum(length(payload)) FROM \(fixture.quoted).taskkit_job")
        #expect(size.first?.integer(0) == Int64(64 * (2 << 20)))
        var usage = rusage()
        #if canImport(Darwin)
        getrusage(RUSAGE_CHILDREN, &usage)
        #expect(usage.ru_maxrss < 250 << 20)
        #else
        getrusage(__rusage_who_t(truncatingIfNeeded: RUSAGE_CHILDREN.rawValue), &usage)
        #expect(usage.ru_maxrss < 250 << 10)
        #endif
      }
    }
  }
}
