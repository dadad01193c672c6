#if !os(Windows)
import Testing

/// What `print` makes of a report: colours where somebody can see them.
@Suite struct PrintTests {
  /// The lines of a process that prints the report of an event, that of a lane, and the first in a text.
  private func lines(isOnTerminal: Bool, _ environment: [String: String] = [:]) async throws -> [String] {
    let colors = ["TERM": "xterm", "NO_COLOR": ""]
    let child = try ChildProcess(
      "printedReport", environment: colors.merging(environment) { $1 }, isOnTerminal: isOnTerminal)
    let lines = await child.lines()
    #expect(await child.exitCode() == 0)
    return lines
  }

  @Test func `on a terminal outcomes are coloured, in a text they are not`() async throws {
    let lines = try await lines(isOnTerminal: true)
    #expect(lines.count { $0.hasPrefix("good") && $0.contains("\u{1B}[32msucceeded") } == 1)
    #expect(lines.count { $0.hasPrefix("bad") && $0.contains("\u{1B}[31mfailed: broken") } == 1)
    #expect(lines.count { $0.hasPrefix("one") && $0.contains("\u{1B}[32msucceeded") } == 1)
    let text = try #require(lines.firstIndex { $0.hasPrefix("in a text: reload: completed, 2 tasks") })
    #expect(lines[text...].count > 3)
    #expect(!lines[text...].joined().contains("\u{1B}"))
  }

  @Test func `elsewhere they are not`() async throws {
    let lines = try await lines(isOnTerminal: false)
    #expect(lines.count { $0.hasPrefix("bad") && $0.contains("  failed: broken") } == 2)
    #expect(!lines.joined().contains("\u{1B}"))
  }

  @Test(arguments: [["NO_COLOR": "1"], ["TERM": "dumb"]])
  func `who wants no colours on a terminal gets none`(environment: [String: String]) async throws {
    let lines = try await lines(isOnTerminal: true, environment)
    #expect(lines.count { $0.hasPrefix("bad") } == 2)
    #expect(!lines.joined().contains("\u{1B}"))
  }
}
#endif
