import Foundation
import Synchronization
import TaskKit
import TaskKitDurable
@testable import TaskKitPostgres
import Testing

/// Centers that share a server.
@Suite(.serialized, .timeLimit(.minutes(15))) struct CenterTests {
  /// Counts how often each name has run.
  final class Counter: Sendable {
    enum Key: SharedKey {
      typealias Value = Counter
    }

    let counts = Mutex<[String: Int]>([:])
  }

  struct Work: DurableTask {
    var name: String

    static var registration: DurableRegistration {
      DurableRegistration(
        __kind: "work", type: Self.self, collected: (), at: ("Tests/Work.swift", 1, 1),
        options: JobOptions(backoff: JobBackoff.none),
        run: { job, context in
          guard context.attempt > 1 || !job.name.hasSuffix("0") else { throw CocoaError(.featureUnsupported) }
          context.center[Counter.Key.self]?.counts.withLock { $0[job.name, default: 0] += 1 }
        })
    }
  }

  @Test func `two centers do the jobs of one server, each once, also those that plain SQL has enqueued`() async throws {
    try await PostgresFixture.with { fixture in
      let counter = Counter()
      var centers: [TaskCenter] = []
      for _ in 0..<2 {
        let center = try TaskCenter(
          registry: TaskRegistry().adding(Work.self),
          stores: [DurableStore("jobs", PostgresStore(at: fixture.address, schema: fixture.schema))],
          jobs: JobConfiguration(monitors: []))
        center[Counter.Key.self] = counter
        centers.append(center)
        try await center.enqueue((0..<50).map { Work(name: "\(centers.count)-\($0)") })
      }
      try await fixture.query(
        "SELECT \(fixture.quoted).taskkit_enqueue('work', jsonb_build_object('name', 'sql-' || n)) FROM generate_series(1, 9) n"
      )
      for center in centers { center.start() }
      // Each waits for what it runs itself; what the other one runs is over when nothing is left.
      while try await !centers[0].jobs.counts().isEmpty { for center in centers { await center.jobs.idle() } }
      let counts = counter.counts.withLock { $0 }
      #expect(counts.count == 109)
      #expect(Set(counts.values) == [1])
      centers = []
    }
  }

  @Test(arguments: ["58030", "58P01", "58000"])
  func `what bodies came to is kept while the disk of the server fails for a moment`(code: String) async throws {
    try await PostgresFixture.with { fixture in
      let counter = Counter()
      let center = try TaskCenter(
        registry: TaskRegistry().adding(Work.self),
        stores: [DurableStore("jobs", PostgresStore(at: fixture.address, schema: fixture.schema))],
        jobs: JobConfiguration(monitors: []))
      center[Counter.Key.self] = counter
      try await center.enqueue([Work(name: "a"), Work(name: "b")])
      let finish = "\(fixture.quoted).taskkit_finish"
      let server = try await PostgresConnection.open(fixture.address)
      try await server.run(
        """
        ALTER FUNCTION \(finish) RENAME TO taskkit_finish_sound;
        CREATE FUNCTION \(finish)(bigint[], bigint[], bigint[], tid[], OUT tokens bigint[], OUT gone integer[])
        LANGUAGE plpgsql AS $$ BEGIN
          IF $1 <> '{}' THEN RAISE 'could not read block 7' USING ERRCODE = '\(code)'; END IF;
        END $$;
        """)
      var events = center.jobs.events().makeAsyncIterator()
      center.start()
      var (failures, lost) = (0, [String]())
      // As what is lost is told, so that the test ends where it is.
      while failures < 3, lost.isEmpty, let event = await events.next() {
        switch event.kind {
        case .storeFailed(let text, _):
          #expect(text.contains("could not read block 7"))
          failures += 1
        case .failed, .gaveUp, .endsLost: lost.append("\(event.kind)")
        default: break
        }
      }
      #expect(lost == [])
      try await server.run(
        "DROP FUNCTION \(finish); ALTER FUNCTION \(fixture.quoted).taskkit_finish_sound RENAME TO taskkit_finish")
      await server.end()
      await center.jobs.idle()
      #expect(try await center.jobs.count() == 0)
      #expect(counter.counts.withLock { $0 } == ["a": 1, "b": 1])
      await center.terminate()
    }
  }

  @Test func `jobs on a server are changed of which something is true, and no others`() async throws {
    try await PostgresFixture.with { fixture in
      let center = try TaskCenter(
        registry: TaskRegistry().adding(Work.self),
        stores: [DurableStore("jobs", PostgresStore(at: fixture.address, schema: fixture.schema))],
        jobs: JobConfiguration(monitors: []))
      let jobs = center.jobs
      for place in 0..<5 { try await center.enqueue(Work(name: "\(place)"), EnqueueOptions(tags: ["\(place % 2)"])) }
      func ids(_ isMeant: (JobSnapshot) -> Bool) async throws -> [Int64] {
        try await jobs.all().filter(isMeant).map(\.id.rawValue)
      }
      let odd = JobSelection(tags: ["1"])
      #expect(try await jobs.prioritise(where: .all, JobPriority(major: 50)) { $0.id.rawValue == 4 } == 1)
      #expect(try await ids { $0.priority.major == 50 } == [4])
      #expect(try await jobs.hold(where: odd, because: "wait") { $0.id.rawValue < 4 } == 1)
      #expect(try await jobs.hold(because: "wait") { $0.id.rawValue < 2 } == 1)
      #expect(try await ids { $0.state == .held } == [1, 2])
      #expect(try await jobs.release { $0.tags == ["0"] } == 1)
      #expect(try await ids { $0.state == .held } == [2])
      #expect(try await jobs.cancel { $0.id.rawValue > 3 } == 2)
      #expect(try await ids { $0.state == .cancelled } == [4, 5])
      #expect(try await jobs.retry(where: odd) { $0.state == .cancelled } == 1)
      #expect(try await ids { $0.state == .ready } == [1, 3, 4])
      #expect(try await jobs.delete { $0.state == .held || $0.state == .cancelled } == 2)
      await #expect(throws: CocoaError.self) { try await jobs.delete { _ in throw CocoaError(.featureUnsupported) } }
      #expect(try await ids { _ in true } == [1, 3, 4])
      await center.terminate()
    }
  }
}
