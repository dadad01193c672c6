import Foundation
import TaskKit
import TaskKitTesting
import Testing

/// The two forms of a report: encoded for machines, a table for people (issue 2, point 7).
@Suite struct ReportFormTests {
  /// A report with every kind of outcome, in which time passes as it is told to.
  private func report() async throws -> EventReport {
    let clock = VirtualClock()
    let center = try TaskCenter.with(
      [
        .event(.alpha, name: "load", priority: .high) { _ in clock.advance(by: .milliseconds(2)) },
        .event(.alpha, name: "fail") { _ in
          clock.advance(by: .microseconds(30))
          throw Broken()
        },
        .event(.alpha, name: "show", dependencies: ["load", "fail"]) { _ in },
        .event(.alpha, name: "paused") { _ in },
        .event(.alpha, name: "give up") { _ in throw CancellationError() },
      ], limit: 1, clock: clock)
    try center.pause("paused")
    return await center.send(.alpha)
  }

  @Test func `the encoded form stays as it is within a version`() async throws {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    let clock = VirtualClock()
    let center = TaskCenter(configuration: .init(maximumConcurrency: 1), time: .virtual(clock))
    try center.inject(
      .event(.alpha, name: "load", priority: .high, fileID: "App/Load.swift", line: 3, column: 1) { _ in
        clock.advance(by: .milliseconds(2))
        throw Broken()
      })
    let encoded = String(decoding: try encoder.encode(await center.send(.alpha)), as: UTF8.self)
    #expect(
      encoded == """
        {"criticalPath":[{"duration":2000000,"kind":"run","task":"load"}],"duration":2000000,"event":"alpha",\
        "status":{"kind":"completed"},"taskCount":1,"tasks":[{"attempts":1,"duration":2000000,\
        "effectivePriority":750,"error":"broken","isStillRunning":false,"location":{"column":1,"fileID":"App/Load.swift","line":3},\
        "name":"load","outcome":"failed","started":0,\
        "waits":{"dependency":0,"mainActor":0,"pause":0,"retry":0,"slot":0}}],"version":1}
        """)
  }

  @Test func `an error of several lines takes one line of the table`() async throws {
    let center = try TaskCenter.with([
      .event(.alpha, name: "fail") { _ in throw Wordy() }, .event(.alpha, name: "load") { _ in },
    ])
    let lines = await center.send(.alpha).description.split(whereSeparator: \.isNewline)
    #expect(lines.count { $0.hasPrefix("fail") && $0.contains("failed: a b c d") } == 1)
  }

  /// The encoded forms of all outcomes, with what they say to people.
  private static let outcomes: [(String, String)] = [
    (#""outcome":"succeeded""#, "succeeded"),
    (#""error":"broken","outcome":"failed""#, "failed: broken"),
    (#""outcome":"timedOut""#, "timed out"),
    (#""outcome":"cancelled""#, "cancelled"),
    (
      #""outcome":"skipped","skipReason":{"kind":"dependency","task":"load"}"#, "skipped: 'load' did not end well"
    ),
    (
      #""outcome":"skipped","skipReason":{"kind":"dependencyNeverRan","task":"load"}"#,
      "skipped: 'load' has not run yet"
    ),
    (#""outcome":"skipped","skipReason":{"kind":"paused"}"#, "skipped: paused"),
    (#""outcome":"skipped","skipReason":{"kind":"disabled"}"#, "skipped: disabled"),
    (#""outcome":"skipped","skipReason":{"kind":"alreadyRan"}"#, "skipped: already ran"),
    (#""outcome":"skipped","skipReason":{"kind":"eventStopped"}"#, "skipped: event stopped"),
    (#""outcome":"skipped","skipReason":{"kind":"noTimeLeft"}"#, "skipped: no time left"),
  ]

  @Test(
    arguments: [
      #"{"kind":"completed"}"#, #"{"kind":"alreadyHappened"}"#, #"{"kind":"refused","reason":"why"}"#,
      #"{"kind":"dropped"}"#, #"{"kind":"cancelled"}"#, #"{"kind":"deadlineExceeded"}"#,
    ], ["run", "slot", "mainActor", "otherEvent", "retry", "scheduling"])
  func `every outcome, status and link of a path keeps its encoded form`(status: String, link: String) throws {
    func canonical(_ data: Data) throws -> Data {
      try JSONSerialization.data(withJSONObject: JSONSerialization.jsonObject(with: data), options: .sortedKeys)
    }
    for (outcome, words) in Self.outcomes {
      let text = """
        {"version":1,"event":"alpha","status":\(status),"duration":7,"taskCount":1,"tasks":[{"name":"show",\(outcome),\
        "attempts":2,"started":2,"duration":5,"effectivePriority":500,"isStillRunning":true,"module":"App",\
        "waits":{"dependency":1,"mainActor":2,"pause":3,"retry":4,"slot":5},\
        "location":{"column":1,"fileID":"App/Show.swift","line":3}}],\
        "criticalPath":[{"duration":5,"kind":"\(link)","task":"show"}]}
        """
      let report = try JSONDecoder().decode(EventReport.self, from: Data(text.utf8))
      #expect(report.outcomes == ["show": words])
      #expect(try canonical(JSONEncoder().encode(report)) == canonical(Data(text.utf8)))
    }
  }

  @Test func `what is read back says the same`() async throws {
    let report = try await report()
    let encoder = JSONEncoder()
    encoder.outputFormatting = .sortedKeys
    let encoded = try encoder.encode(report)
    let decoded = try JSONDecoder().decode(EventReport.self, from: encoded)
    #expect(decoded.description == report.description)
    #expect(decoded.outcomes == report.outcomes)
    #expect(try encoder.encode(decoded) == encoded)
  }

  @Test func `each status is read back`() async throws {
    let center = TaskCenter(time: .virtual(VirtualClock()))
    await center.send(.opening)
    let again = await center.send(.opening)
    let refused = await center.send(LifecycleEvent<Int, Void>("opening", once: true), 1)
    for report in [again, refused] {
      let decoded = try JSONDecoder().decode(EventReport.self, from: JSONEncoder().encode(report))
      #expect(decoded.status == report.status)
    }
  }

  @Test func `a later version is refused`() throws {
    let later = Data(#"{"version": 2, "event": "alpha"}"#.utf8)
    let error = #expect(throws: DecodingError.self) { try JSONDecoder().decode(EventReport.self, from: later) }
    #expect(error.map { "\($0)" }?.contains("report of version 2; this TaskKit reads up to 1") == true)
  }

  @Test func `the table is aligned, and coloured only when asked`() async throws {
    let report = try await report()
    #expect(
      report.description == """
        alpha: completed, 5 tasks in 2.03 ms, 1 failed, 1 cancelled, 2 skipped
        task     outcome                           started     took  waited for
        load     succeeded                            0 ns  2.00 ms
        fail     failed: broken                    2.00 ms  30.0 µs  slot 2.00 ms
        give up  cancelled                         2.03 ms     0 ns  slot 2.03 ms
        show     skipped: 'fail' did not end well                    dependency 2.03 ms
        paused   skipped: paused
        critical path
          load  2.00 ms   99 %
          fail  30.0 µs    1 %
        """)
    let colored = report.table(colored: true)
    #expect(colored.contains("\u{1B}[32msucceeded"))
    #expect(colored.contains("\u{1B}[31mfailed: broken"))
    #expect(!report.description.contains("\u{1B}"))
  }

  @Test func `a report that was read is printed, whatever its path says`() throws {
    let text = """
      {"version":1,"event":"alpha","status":{"kind":"completed"},"duration":0,"tasks":[],"criticalPath":[\
      {"duration":1000000000,"kind":"run","task":"show"},{"duration":-1000000000,"kind":"scheduling"}]}
      """
    let report = try JSONDecoder().decode(EventReport.self, from: Data(text.utf8))
    #expect(
      report.description == """
        alpha: completed
        critical path
          show         1.00 s   100000000000 %
          scheduling  -1.00 s  -100000000000 %
        """)
  }
}

/// Described on several lines, each with another end.
private struct Wordy: Error, CustomStringConvertible {
  var description: String { "a\nb\r\nc\u{2028}d" }
}
