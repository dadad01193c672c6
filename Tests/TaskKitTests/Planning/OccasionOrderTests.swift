import Foundation
import TaskKit
import Testing

/// The order among the tasks of a notification, and of schedules that are due at one instant, is told like that of an event.
@Suite struct OccasionOrderTests {
  private static let changed = Notification.Name("OccasionOrderTests.changed")

  private func center() throws -> TaskCenter {
    try TaskCenter.with([
      .notification(Self.changed, name: "show", priority: .high, dependencies: ["read"]) { _ in },
      .notification(Self.changed, name: "read") { _ in },
      .notification(Self.changed, name: "log", priority: Priority(600)) { _ in },
      .schedule(name: "upload", every: .seconds(30), dependencies: ["collect"]) { _ in },
      .schedule(name: "collect", every: .seconds(10)) { _ in },
      .schedule(name: "clean", priority: .high, every: .seconds(20)) { _ in },
      .schedule(name: "urgent", priority: .critical, every: .seconds(20), dependencies: ["collect"]) { _ in },
      .event(.alpha, name: "elsewhere") { _ in },
    ])
  }

  @Test func `of a notification`() throws {
    let center = try center()
    #expect(center.order(ofNotification: Self.changed) == ["read", "show", "log"])
    #expect(
      try center.why("read", before: "show", atNotification: Self.changed)
        == "'read' starts before 'show', because 'show' needs 'read'")
    #expect(
      try center.why("read", before: "log", atNotification: Self.changed)
        == "'read' starts before 'log', because 'show' needs 'read' and 'show' has priority 750, more than the 600 of 'log'"
    )
    #expect(throws: TaskError.self) { try center.why("read", before: "clean", atNotification: Self.changed) }
    #expect(center.order(ofNotification: Notification.Name("OccasionOrderTests.nobody")) == [])
  }

  @Test func `of an event that somebody has only looked at nothing is kept, and its name stays free`() async throws {
    let center = try TaskCenter.with([])
    for number in 0..<100 {
      #expect(center.order(of: .numbered(number)) == [])
      #expect(center.order(ofNotification: Notification.Name("OccasionOrderTests.\(number)")) == [])
      #expect(throws: TaskError.self) { try center.why("one", before: "other", at: .numbered(number)) }
    }
    #expect(center.knownEvents == 0)
    #expect(await center.send(LifecycleEvent<Int, Void>("numbered 1"), 1).status == .completed)
  }

  @Test func `of schedules, as far as they are due together`() throws {
    let center = try center()
    #expect(try center.order(ofSchedules: ["upload", "collect", "clean"]) == ["clean", "collect", "upload"])
    #expect(try center.order(ofSchedules: ["upload", "clean"]) == ["clean", "upload"])
    #expect(try center.order(ofSchedules: []) == [])
    #expect(
      try center.why("collect", before: "upload")
        == "'collect' starts before 'upload', because 'upload' needs 'collect'")
    #expect(
      try center.why("clean", before: "collect")
        == "'clean' starts before 'collect', because 'clean' has priority 750 and 'collect' has 500")
    #expect(
      try center.why("collect", before: "clean", dueTogetherWith: ["urgent"])
        == "'collect' starts before 'clean', because 'urgent' needs 'collect' and 'urgent' has priority 1000, more than the "
        + "750 of 'clean'")
  }

  @Test func `what has no schedule is refused`() throws {
    let center = try center()
    let error = #expect(throws: TaskError.self) { try center.why("clean", before: "elsewhere") }
    #expect(
      error?.description
        == "'elsewhere' has no schedule; ask for its place at its event, or at its notification")
    #expect(throws: TaskError.self) { try center.order(ofSchedules: ["nobody"]) }
  }

  @Test func `the order that is told is the one that is kept`() async throws {
    let table = Timetable(limit: 1)
    try table.center.inject([
      table.task(.init(every: .seconds(10)), name: "low", priority: .low),
      table.task(.init(every: .seconds(10)), name: "needy", priority: .critical, dependencies: ["last"]),
      table.task(.init(every: .seconds(10)), name: "middle"),
      table.task(.init(every: .seconds(10)), name: "last"),
    ])
    let told = try table.center.order(ofSchedules: ["last", "low", "middle", "needy"])
    table.center.start()
    await table.pass(.seconds(10))
    #expect(table.notes == told.map { "\($0) 10" })
    #expect(told == ["last", "needy", "middle", "low"])
  }
}
