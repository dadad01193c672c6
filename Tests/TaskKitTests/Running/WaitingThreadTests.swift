#if os(Linux)
import Testing

/// What a thread that waits does meanwhile, and what it does not: in processes of their own, whose main thread the tests
/// cannot have.
@Suite struct WaitingThreadTests {
  private func lines(_ main: String, _ tasks: String = "", deadline: Int? = nil) async throws -> [String] {
    var environment = ["PROBE_MAIN": main, "PROBE_TASKS": tasks]
    if let deadline { environment["PROBE_DEADLINE"] = "\(deadline)" }
    let child = try ChildProcess(environment: environment, program: "WaitingProbe")
    return await child.lines()
  }

  @Test(arguments: ["synchronous", "loop", "asynchronous"], [nil, 60_000])
  func `a waiting main thread runs what comes for the main actor, and takes no time of the processor`(
    main: String, deadline: Int?
  ) async throws {
    #expect(
      try await lines(main, "slow main", deadline: deadline) == [
        "main: succeeded", "slow: succeeded", "completed", "rested",
      ])
  }

  @Test func `on a main thread whose run loop can go on, asynchronous tasks of the main actor do`() async throws {
    #expect(
      try await lines("synchronous", "slow main asynchronous") == [
        "asynchronous: succeeded", "main: succeeded", "slow: succeeded", "completed", "rested",
      ])
  }

  @Test(arguments: ["synchronous", "loop", "asynchronous", "elsewhere"])
  func `a deadline frees the main thread, whatever a task does`(main: String) async throws {
    #expect(
      try await lines(main, "deaf", deadline: 300) == ["deaf: timed out", "deadline exceeded", "rested"])
  }

  @Test(arguments: ["loop", "asynchronous"])
  func `what only the queue of the main actor could run, which waits itself, waits for the deadline`(main: String)
    async throws
  {
    #expect(
      try await lines(main, "asynchronous", deadline: 300) == [
        "asynchronous: timed out", "deadline exceeded", "rested",
      ])
  }

  @Test func `another thread that waits leaves nothing in the main run loop, whoever runs it`() async throws {
    #expect(try await lines("often") == ["nothing is left"])
    #expect(try await lines("elsewhere", "slow") == ["slow: succeeded", "completed", "rested"])
  }

  @Test func `a center whose tasks are all suspended takes no thread and no time of the processor`() async throws {
    #expect(try await lines("resting") == ["rested", "few threads", "cancelled"])
  }
}
#endif
