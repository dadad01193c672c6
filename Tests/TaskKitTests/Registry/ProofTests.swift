@testable import TaskKit
import Testing

/// What an injection and a registry that is put together are refused for, beside what `InjectErrorTests` shows.
@Suite struct ProofTests {
  @Test(arguments: [
    (
      TaskDefinition.schedule(name: "new", every: .seconds(1), count: 3, runs: .once) { _ in },
      "'count: 3' and 'runs: .once' of task 'new' contradict each other; remove one of them"
    ),
    (
      .event(LifecycleEvent<Void, Void>("late", once: true, burst: .drop), name: "new") { _ in },
      "'once: true' and 'burst: .drop' of event 'late' contradict each other; remove one of them"
    ),
    (
      .event(.alpha, name: "new", lane: Lane("line", timeout: .zero)) { _ in },
      "a timeout of '0.0 seconds' is over before anything in lane 'line' starts; write a longer one"
    ),
    (
      .event(.alpha, name: "new", timeout: .seconds(1), lane: Lane("line", timeout: .seconds(-1))) { _ in },
      "a timeout of '-1.0 seconds' is over before anything in lane 'line' starts; write a longer one"
    ),
  ])
  func `options that contradict each other are refused, and nothing has changed`(
    definition: TaskDefinition, sentence: String
  ) async throws {
    let center = try TaskCenter.with([])
    let injected = #expect(throws: TaskGraphError.self) { try center.inject(definition) }
    #expect(injected?.sentences == [sentence])
    #expect(throws: TaskError.self) { try center.statistics(of: "new") }
    let proved = #expect(throws: TaskGraphError.self) { try TaskRegistry(modules: [.of("One", [definition])]) }
    #expect(proved?.sentences == [sentence])
  }

  @Test(arguments: [
    TaskDefinition.schedule(name: "new", every: .seconds(1), count: 1, runs: .once) { _ in },
    .event(LifecycleEvent<Void, Void>("late", once: true, burst: .queue), name: "new") { _ in },
    .event(.alpha, name: "new", lane: Lane("line", timeout: .nanoseconds(1))) { _ in },
  ])
  func `options that say the same twice are welcome`(definition: TaskDefinition) throws {
    try TaskCenter.with([]).inject(definition)
  }

  private static let first = TaskDefinition.event(
    LifecycleEvent<Void, Void>("late"), name: "first", lane: Lane("line"), fileID: "App/First.swift", line: 3, column: 5
  ) { _ in }

  @Test(arguments: [
    (
      TaskDefinition.event(
        LifecycleEvent<Int, Void>("late"), name: "second", fileID: "App/Second.swift", line: 7, column: 9
      ) { _ in },
      """
      error: event 'late' carries () in one place and Int in another; give one of them another name
        declared at App/Second.swift:7:9
        the other event 'late' is that of task 'first' at App/First.swift:3:5
      """
    ),
    (
      .event(
        LifecycleEvent<Void, Void>("late", burst: .drop), name: "second", fileID: "App/Second.swift", line: 7, column: 9
      ) { _ in },
      """
      error: event 'late' does 'queue' with a burst in one place and 'drop' in another; say the same in both
        declared at App/Second.swift:7:9
        the other event 'late' is that of task 'first' at App/First.swift:3:5
      """
    ),
    (
      .event(
        .alpha, name: "second", lane: Lane("line", onFailure: .stop), fileID: "App/Second.swift", line: 7, column: 9
      ) { _ in },
      """
      error: lane 'line' is declared with onFailure: continue in one place and stop in another; declare it once
        declared at App/Second.swift:7:9
        the other lane 'line' is that of task 'first' at App/First.swift:3:5
      """
    ),
  ])
  func `where two mean different things by one name, the error has both places`(
    second: TaskDefinition, description: String
  ) throws {
    let center = try TaskCenter.with([Self.first])
    let injected = #expect(throws: TaskGraphError.self) { try center.inject(second) }
    #expect(injected?.description == description)
    let together = #expect(throws: TaskGraphError.self) { try TaskCenter().inject([Self.first, second]) }
    #expect(together?.description == description)
    let proved = #expect(throws: TaskGraphError.self) { try TaskRegistry(modules: [.of("One", [Self.first, second])]) }
    #expect(proved?.description == description)
  }
}
