import TaskKit
import TaskKitDurable
import Testing

@Suite struct UnusableValueTests {
  @Test(arguments: [
    (RateLimit(0, per: .seconds(1)), "the count of the rate of queue 'q' is 0"),
    (RateLimit(-3, per: .seconds(1)), "the count of the rate of queue 'q' is -3"),
    (RateLimit(1, per: .zero), "the period of the rate of queue 'q' is 0.0 seconds"),
    (RateLimit(1, per: .seconds(-5)), "the period of the rate of queue 'q' is -5.0 seconds"),
  ])
  func `a rate that makes no sense is refused with its value and what it was given for`(
    _ rate: RateLimit, _ text: String
  ) async throws {
    let bench = try JobBench(Work.self)
    let error = await #expect(throws: DurableError.self) {
      try await bench.center.jobs.setRate(rate, ofQueue: "q")
    }
    #expect(error?.code == .unusableValue)
    #expect(error?.description.hasPrefix(text) == true, "\(error?.description ?? "")")
    let other = await #expect(throws: DurableError.self) { try await bench.center.jobs.setRate(rate, ofKey: "k") }
    #expect(other?.description.contains(" key 'k' is ") == true)
    #expect(try await bench.center.jobs.rates() == [])
  }

  @Test(arguments: [Duration.zero, .seconds(-1)])
  func `a deadline of no time is refused where a job is enqueued`(_ deadline: Duration) async throws {
    let bench = try JobBench(Work.self)
    let error = await #expect(throws: DurableError.self) {
      try await bench.center.enqueue(Work("a"), EnqueueOptions(deadline: deadline))
    }
    #expect(error?.code == .unusableValue)
    #expect(
      error?.description.hasPrefix(
        "the deadline in the options of a job of kind 'work' that is enqueued is \(deadline); it needs") == true)
    #expect(try await bench.center.jobs.count() == 0)
  }

  @Test func `a declaration that makes no sense is refused with its value and its place`() async throws {
    func refusal(_ kind: any DurableTask.Type) throws -> String {
      let error = #expect(throws: DurableError.self) { try JobBench(kind) }
      #expect(error?.code == .unusableValue)
      return error?.description ?? ""
    }
    #expect(
      try refusal(Instant.self).hasPrefix(
        "the deadline of kind 'instant', declared at Tests/instant.swift:1:1, is 0.0 seconds; it needs some time"))
    #expect(
      try refusal(Forgetful.self).hasPrefix(
        "the retention of failed jobs of kind 'forgetful', declared at Tests/forgetful.swift:1:1, is -60.0 seconds"))
    #expect(
      try refusal(Brittle.self).hasPrefix(
        "the number of crashes of kind 'brittle', declared at Tests/brittle.swift:1:1, is 0; it needs at least one"))
    let bench = try JobBench(Work.self)
    #expect(throws: DurableError.self) { try bench.center.jobs.register(Instant.self) }
    // Also of a kind that is not registered.
    let error = await #expect(throws: DurableError.self) { try await bench.center.enqueue(Instant("a")) }
    #expect(error?.description.contains("Tests/instant.swift:1:1") == true)
  }

  @Test func `all that makes no sense about a center is told at once`() throws {
    let error = #expect(throws: DurableError.self) {
      try TaskCenter(
        registry: TaskRegistry().adding(Never.self, Astray.self),
        stores: [.memory("jobs"), .memory("archive")],
        jobs: JobConfiguration(
          queues: ["mail": QueueOptions(workers: 0, aging: .zero)], defaultQueue: QueueOptions(aging: .seconds(-1)),
          monitors: []))
    }
    #expect(error?.code == .unusableValue)
    #expect(
      error?.description == """
        the number of attempts of kind 'never', declared at Tests/never.swift:1:1, is 0; a job is tried at least once; \
        '.unlimited' is for ever
        the limit of kind 'never', declared at Tests/never.swift:1:1, is -2; let at least one run at a time, or leave the \
        limit out
        kind 'astray' keeps its jobs in store 'archiv', which the center does not have; it has 'jobs', 'archive'; did you \
        mean 'archive'?
          declared at Tests/astray.swift:1:1
        the number of workers of queue 'mail' is 0; a queue has at least one; to stop it, pause it
        the aging of queue 'mail' is 0.0 seconds; it needs some time; nil is never
        the aging of queues that have no options of their own is -1.0 seconds; it needs some time; nil is never
        """)
  }

  @Test func `a limit of a key that lets none run, and names that no store keeps, are refused with their place`()
    throws
  {
    let error = #expect(throws: DurableError.self) {
      try TaskCenter(
        registry: TaskRegistry().adding(Closed.self, Severed.self, Pieced.self, Demanding.self), stores: [.memory()],
        jobs: JobConfiguration(monitors: []))
    }
    let problems = [
      """
      the limit of a key of kind 'closed', declared at Tests/closed.swift:1:1, is 0; let at least one run at a time, or \
      leave the limit out
      """,
      #"the declaration of kind 'severed' at Tests/severed.swift:1:1: queue "a\0b" has the character NUL in it"#,
      "the declaration of kind 'pieced' at Tests/pieced.swift:1:1: queue 'cafe\u{301}' is written with letters and their",
      #"the declaration of kind 'demanding' at Tests/demanding.swift:1:1: constraint "a\0b" has the character NUL in it"#,
    ]
    for problem in problems {
      #expect(error?.description.contains(problem) == true, "\(problem)")
    }
    #expect(error?.description.split(separator: "\n").count == problems.count)
  }

  @Test func `a number of attempts that makes no sense is refused where a job is enqueued`() async throws {
    let bench = try JobBench(Work.self)
    let none = 0
    let error = await #expect(throws: DurableError.self) {
      try await bench.center.enqueue(Work("a"), EnqueueOptions(attempts: JobAttempts(none)))
    }
    #expect(
      error?.description == """
        the number of attempts in the options of a job of kind 'work' that is enqueued is 0; a job is tried at least once; \
        '.unlimited' is for ever
        """)
    #expect(try await bench.center.jobs.count() == 0)
  }
}

private struct Never: ProbedTask {
  var name: String
  init(_ name: String) { self.name = name }
  static let kind = "never"
  static var options: JobOptions<Never> { JobOptions(attempts: 0, limit: -2) }
}

private struct Astray: ProbedTask {
  var name: String
  init(_ name: String) { self.name = name }
  static let kind = "astray"
  static var options: JobOptions<Astray> { JobOptions(store: "archiv") }
}

private struct Instant: ProbedTask {
  var name: String
  init(_ name: String) { self.name = name }
  static let kind = "instant"
  static var options: JobOptions<Instant> { JobOptions(deadline: .zero) }
}

private struct Forgetful: ProbedTask {
  var name: String
  init(_ name: String) { self.name = name }
  static let kind = "forgetful"
  static var options: JobOptions<Forgetful> { JobOptions(retention: JobRetention(failed: .seconds(-60))) }
}

private struct Brittle: ProbedTask {
  var name: String
  init(_ name: String) { self.name = name }
  static let kind = "brittle"
  static var options: JobOptions<Brittle> { JobOptions(crashes: 0) }
}

private struct Closed: ProbedTask {
  var name: String
  init(_ name: String) { self.name = name }
  static let kind = "closed"
  static var options: JobOptions<Closed> { JobOptions(keyLimit: .by(\.name, count: 0)) }
}

private struct Severed: ProbedTask {
  var name: String
  init(_ name: String) { self.name = name }
  static let kind = "severed"
  static var options: JobOptions<Severed> { JobOptions(queue: "a\0b") }
}

private struct Pieced: ProbedTask {
  var name: String
  init(_ name: String) { self.name = name }
  static let kind = "pieced"
  static var options: JobOptions<Pieced> { JobOptions(queue: "cafe\u{301}") }
}

private struct Demanding: ProbedTask {
  var name: String
  init(_ name: String) { self.name = name }
  static let kind = "demanding"
  static var options: JobOptions<Demanding> { JobOptions(requires: ["a\0b"]) }
}
