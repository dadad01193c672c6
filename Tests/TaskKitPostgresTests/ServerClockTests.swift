import Foundation
import Synchronization
import TaskKit
import TaskKitDurable
@testable import TaskKitPostgres
import TaskKitTesting
import Testing

/// Centers whose clocks are days off that of their server, which the test moves.
@Suite(.serialized, .timeLimit(.minutes(15))) struct ServerClockTests {
  private static let day: TimeInterval = 86_400

  /// A server whose clock stands still.
  private struct Server {
    let fixture: PostgresFixture
    let clock: StoppedClock

    init(_ fixture: PostgresFixture) async throws {
      (self.fixture, clock) = (fixture, try await StoppedClock(fixture))
    }

    /// Lets time pass for the server and for the machines of centers.
    func pass(_ time: Duration, _ machines: [Machine]) async throws {
      try await clock.pass(time)
      for machine in machines { await machine.time.advance(by: time, driving: machine.center) }
    }

    /// - Parameter skew: by how much the clock of the machine is ahead of the server's.
    func machine(_ skew: TimeInterval, _ kinds: any DurableTask.Type...) async throws -> Machine {
      let time = VirtualTime(wall: try await clock.time + skew)
      let center = try TaskCenter(
        registry: kinds.reduce(TaskRegistry()) { $0.adding($1) }, time: time.source,
        // No lease passes while the test lets hours pass.
        stores: [
          DurableStore("jobs", PostgresStore(at: fixture.address, schema: fixture.schema, lease: .seconds(90 * 86_400)))
        ],
        jobs: JobConfiguration(monitors: []))
      return Machine(time: time, center: center)
    }

    /// The occurrences that are written down, as hours since the beginning.
    func slots() async throws -> [Int64] {
      try await fixture.query("SELECT at FROM \(fixture.quoted).taskkit_occurrence ORDER BY at")
        .map { (($0.integer(0) ?? 0) - 1_767_225_600_000_000) / 3_600_000_000 }
    }
  }

  private struct Machine {
    let time: VirtualTime
    let center: TaskCenter

    /// Returns when its schedules are looked at.
    func start() async throws {
      center.start()
      try await center.jobs.open()
    }

    /// Shuts it down.
    ///
    /// - Returns: what it has told of slots that were missed.
    func end(_ events: AsyncStream<JobEvent>) async -> [String] {
      await center.terminate()
      return await events.reduce(into: []) { told, event in
        if case .slotsMissed(_, let count, let latest) = event.kind {
          told.append("\(count) up to \(latest.formatted(.iso8601))")
        }
      }
    }
  }

  /// A job for each hour.
  private struct Hourly: DurableTask {
    static var registration: DurableRegistration {
      DurableRegistration(
        __kind: "hourly", type: Self.self, collected: (), at: ("Tests/Hourly.swift", 1, 1),
        options: JobOptions(retention: JobRetention(finished: nil)),
        schedule: JobSchedule(__schedule: TaskSchedule(every: .seconds(3600)), job: { Self() }), run: { _, _ in })
    }
  }

  /// The same, without those of hours in which nobody ran.
  private struct Skipping: DurableTask {
    static var registration: DurableRegistration {
      DurableRegistration(
        __kind: "skipping", type: Self.self, collected: (), at: ("Tests/Skipping.swift", 1, 1),
        options: JobOptions(retention: JobRetention(finished: nil)),
        schedule: JobSchedule(__schedule: TaskSchedule(every: .seconds(3600), missed: .skip), job: { Self() }),
        run: { _, _ in })
    }
  }

  private struct Plain: DurableTask {
    static var registration: DurableRegistration {
      DurableRegistration(
        __kind: "plain", type: Self.self, collected: (), at: ("Tests/Plain.swift", 1, 1), options: JobOptions(),
        run: { _, _ in })
    }
  }

  @Test(arguments: [[1, -1], [-1, 1]] as [[Double]])
  func `centers a day ahead and a day behind write each slot of a schedule once, and miss none`(
    days: [Double]
  ) async throws {
    try await PostgresFixture.with { fixture in
      let server = try await Server(fixture)
      var machines: [Machine] = []
      var events: [AsyncStream<JobEvent>] = []
      // The first one begins the schedule.
      for days in days {
        let machine = try await server.machine(days * Self.day, Hourly.self)
        events.append(machine.center.jobs.events())
        try await machine.start()
        try await server.pass(.zero, [machine])
        machines.append(machine)
      }
      for hour in 1...5 as ClosedRange<Int64> {
        try await server.pass(.seconds(3600), machines)
        #expect(try await server.slots() == Array(1...hour))
      }
      let status = try #require(try await machines[1].center.jobs.schedules().first)
      #expect(status.next == Date(timeIntervalSince1970: 1_767_225_600 + 6 * 3600))
      #expect(status.occurrences == 5)
      #expect(try await machines[0].center.jobs.all().count == 5)
      for (machine, events) in zip(machines, events) { #expect(await machine.end(events) == []) }
    }
  }

  @Test(arguments: [1, -1] as [Double])
  func `what a center offers again of the slots in which nobody ran is not decided by its clock`(
    days: Double
  ) async throws {
    try await PostgresFixture.with { fixture in
      let server = try await Server(fixture)
      let first = try await server.machine(-days * Self.day, Skipping.self)
      try await first.start()
      try await server.pass(.zero, [first])
      try await server.pass(.seconds(3600), [first])
      await first.center.terminate()
      try await server.pass(.seconds(3 * 3600 + 1800), [])
      let second = try await server.machine(days * Self.day, Skipping.self)
      let events = second.center.jobs.events()
      try await second.start()
      try await server.pass(.zero, [second])
      #expect(try await server.slots() == [1])
      try await server.pass(.seconds(1800), [second])
      #expect(try await server.slots() == [1, 5])
      #expect(await second.end(events) == ["3 up to 2026-01-01T04:00:00Z"])
    }
  }

  @Test(arguments: [1, -1] as [Double])
  func `why a job does not run is said by the server's clock`(days: Double) async throws {
    try await PostgresFixture.with { fixture in
      let server = try await Server(fixture)
      let machine = try await server.machine(days * Self.day, Plain.self)
      let jobs = machine.center.jobs
      let later = try await machine.center.enqueue(Plain(), .delayed(.seconds(3600)))
      let offline = try await machine.center.enqueue(
        Plain(), EnqueueOptions(requires: [.network], requiresUntil: .after(.seconds(3600))))
      try await jobs.setRate(RateLimit(1, per: .seconds(60)), ofQueue: "default")
      let notStarted = "the center of this process was not started"
      #expect(
        try await jobs.why(later) == "job 1 of kind 'plain', attempt 1 of 3: it is delayed until 2026-01-01T01:00:00Z")
      #expect(
        try await jobs.why(offline) == """
          job 2 of kind 'plain', attempt 1 of 3: \(notStarted)
            no monitor of the center knows constraint 'network', and is asked for until 2026-01-01T01:00:00Z
          """)
      try await server.pass(.seconds(3600), [])
      #expect(try await jobs.why(later) == "job 1 of kind 'plain', attempt 1 of 3: \(notStarted)")
      #expect(try await jobs.why(offline) == "job 2 of kind 'plain', attempt 1 of 3: \(notStarted)")
      machine.center.start()
      await jobs.idle()
      let third = try await machine.center.enqueue(Plain())
      await jobs.idle()
      #expect(
        try await jobs.why(third) == """
          job \(third) of kind 'plain', attempt 1 of 3: 1 of queue 'default' start in 60.0 seconds, as many as its rate \
          allows; the next may at 2026-01-01T01:01:00Z
          """)
      await machine.center.terminate()
    }
  }
}
