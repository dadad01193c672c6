import TaskGraph
@testable import TaskKit
import TaskKitTesting
import Testing

/// A number of attempts that a program computes, and that is none.
@Suite struct RetryPolicyTests {
  private static let sentence =
    "a task is tried at least once, and 'attempts' of task 'Tests.Never' is 0; write 1 or more"

  /// As a macro would make it.
  private static let never = TaskRegistration(
    __name: "Tests.Never", type: RetryPolicyTests.self, collected: (), at: TaskLocation("Tests/Never.swift", 1, 1),
    occasions: [TaskOccasion(.alpha, __run: { Issue.record("it has run") })], retry: .attempts("12".count - 2))

  @Test func `a registry that is put together is refused for a task that is not tried even once`() throws {
    let error = #expect(throws: TaskGraphError.self) { try TaskRegistry(tasks: [Self.never]) }
    #expect(error?.sentences == [Self.sentence])
    #expect(error?.problems.first?.place == SourcePlace(Self.never.location))
    #expect(error?.problems.first?.code == "taskKit.attemptsBelowOne")
  }

  @Test func `one that the build has proved fails wherever it runs, with the task, the option and its value`()
    async throws
  {
    var module = ModuleTasks(module: "Tests", count: 2)
    module.add(Self.never, at: 0)
    module.add(TaskDefinition.event(.alpha, name: "Tests.Other") { _ in }.registration, at: 1)
    let center = TaskCenter(registry: TaskRegistry(__proved: [module]), time: .virtual(VirtualClock()))
    let report = await center.send(.alpha)
    #expect(report.outcomes == ["Tests.Never": "failed: \(Self.sentence)", "Tests.Other": "succeeded"])
    #expect(report.tasks.first { $0.name == "Tests.Never" }?.attempts == 1)
  }

  @Test func `what is put into a lane with no attempt fails, and the lane goes on`() async throws {
    let queue = try TaskCenter.with([]).lane(Lane("line"))
    let ticket = queue.enqueue("late", retry: .attempts("12".count - 3)) { Issue.record("it has run") }
    let error = await #expect(throws: TaskError.self) { try await ticket.value }
    #expect(error?.code == .attemptsBelowOne)
    #expect(error?.task == "late")
    #expect(
      error?.description == "a task is tried at least once, and 'attempts' of task 'late' is -1; write 1 or more")
    #expect(await queue.enqueue("next") {}.outcome.isSuccess)
  }
}
