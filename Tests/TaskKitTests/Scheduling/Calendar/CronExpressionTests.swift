import Foundation
import TaskKit
import Testing

@Suite struct CronExpressionTests {
  @Test func `a time that the clocks skip runs once, at the first instant after the gap`() throws {
    #expect(
      try Self.newYork("30 2 * * *", after: "2026-03-07T12:00:00Z", 2)
        == ["2026-03-08T07:00:00Z", "2026-03-09T06:30:00Z"])
  }

  @Test func `a time that the clocks show twice runs at the first of the two`() throws {
    #expect(
      try Self.newYork("30 1 * * *", after: "2026-10-31T12:00:00Z", 2)
        == ["2026-11-01T05:30:00Z", "2026-11-02T06:30:00Z"])
  }

  private static func newYork(_ text: String, after start: String, _ count: Int) throws -> [String] {
    let zone = try #require(TimeZone(identifier: "America/New_York"))
    let start = try Date(start, strategy: .iso8601)
    return try CronExpression(text).next(count, after: start, in: zone).map { $0.formatted(.iso8601) }
  }
}
