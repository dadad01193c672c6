import TaskKit
import Testing

/// `why`: why one task of an event starts before another, in one sentence (issue 2, point 7).
@Suite struct WhyTests {
  private func center(limit: Int = .max, recorder: Recorder = Recorder()) throws -> TaskCenter {
    try TaskCenter.with(
      [
        .event(.alpha, name: "open") { _ in recorder.note("open") },
        .event(.alpha, name: "cache", priority: .low) { _ in recorder.note("cache") },
        .event(.alpha, name: "read", dependencies: ["open"]) { _ in recorder.note("read") },
        .event(.alpha, name: "show", priority: .critical, dependencies: ["read"]) { _ in recorder.note("show") },
        .event(.alpha, name: "greet", priority: .high) { _ in recorder.note("greet") },
        .event(.alpha, name: "log") { _ in recorder.note("log") },
        .event(.alpha, name: "count") { _ in recorder.note("count") },
      ], limit: limit)
  }

  @Test func `each reason has its sentence`() throws {
    let center = try center()
    let edge = try center.why("open", before: "read", at: .alpha)
    #expect(edge == "'open' starts before 'read', because 'read' needs 'open'")
    let chain = try center.why("open", before: "show", at: .alpha)
    #expect(chain == "'open' starts before 'show', because 'show' needs 'read' and 'read' needs 'open'")
    let inherited = try center.why("open", before: "greet", at: .alpha)
    #expect(
      inherited == "'open' starts before 'greet', because 'show' needs 'read', 'read' needs 'open' and 'show' has "
        + "priority 1000, more than the 750 of 'greet'")
    let own = try center.why("greet", before: "log", at: .alpha)
    #expect(own == "'greet' starts before 'log', because 'greet' has priority 750 and 'log' has 500")
    let declared = try center.why("log", before: "count", at: .alpha)
    #expect(declared == "'log' starts before 'count', because both have priority 500 and 'log' is declared first")
    let notBefore = try center.why("cache", before: "log", at: .alpha)
    #expect(notBefore == "'cache' does not start before 'log', because 'log' has priority 500 and 'cache' has 250")
  }

  @Test func `the answer is about the next occurrence`() throws {
    let center = try center()
    try center.inject(.event(.alpha, name: "first", priority: .critical) { _ in })
    let added = try center.why("first", before: "log", at: .alpha)
    #expect(added == "'first' starts before 'log', because 'first' has priority 1000 and 'log' has 500")
    try center.destroy("show")
    let left = try center.why("greet", before: "open", at: .alpha)
    #expect(left == "'greet' starts before 'open', because 'greet' has priority 750 and 'open' has 500")
  }

  @Test func `what is no task of the event is an error`() throws {
    let center = try TaskCenter.with([
      .event(.alpha, name: "task") { _ in }, .event(.beta, name: "elsewhere") { _ in },
    ])
    let error = #expect(throws: TaskError.self) { try center.why("task", before: "elsewhere", at: .alpha) }
    #expect(error?.description == "'elsewhere' is not a task of 'alpha'")
    let unknown = #expect(throws: TaskError.self) { try center.why("tsak", before: "task", at: .alpha) }
    #expect(unknown?.description == "there is no task 'tsak' in this center; did you mean 'task'?")
  }

  @Test func `the order that is listed is the one that is kept one at a time`() async throws {
    let recorder = Recorder()
    let center = try center(limit: 1, recorder: recorder)
    let listed = center.order(of: .alpha)
    #expect(listed == ["open", "read", "show", "greet", "log", "count", "cache"])
    #expect(await center.send(.alpha).names == listed.map(\.rawValue))
    #expect(recorder.notes == listed.map(\.rawValue))
  }
}
