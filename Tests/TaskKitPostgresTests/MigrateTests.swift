import Foundation
import TaskKitDurable
import TaskKitDurableTesting
@testable import TaskKitPostgres
import Testing

/// The program `taskkit-migrate`, which lies beside that of the tests.
@Suite(.serialized) struct MigrateTests {
  private let date = Date(timeIntervalSince1970: 1_767_225_600)
  private var environment: StoreEnvironment { StoreEnvironment(now: { [date] in date }, owner: "the app") }

  private func migrate(_ arguments: String...) async throws -> (code: Int32, output: String, error: String) {
    let process = Process()
    let (output, error) = (Pipe(), Pipe())
    let tests = CommandLine.arguments.first { $0.contains(".xctest") } ?? CommandLine.arguments[0]
    let bundle = String(tests[..<(tests.range(of: ".xctest")?.upperBound ?? tests.endIndex)])
    process.executableURL = URL(filePath: bundle).deletingLastPathComponent().appending(path: "taskkit-migrate")
    process.arguments = arguments
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
        #expect(second.error.contains("has had jobs of its own"))
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
}
