import TaskScanner
import Testing

/// Names of time zones that the building machine does not know.
@Suite struct TimeZoneTests {
  private static let misspelt = "warning: the machine knows no time zone 'Europe/Berln'; did you mean 'Europe/Berlin'?"

  @Test(arguments: [
    ("@ScheduleTask(daily: \"07:00\", timeZone: \"Europe/Berln\") enum A {}", "1:41: \(misspelt)"),
    ("@ScheduleTask(cron: \"0 7 * * *\",\n  timeZone: \"Europe/Berln\", count: 3) enum A {}", "2:13: \(misspelt)"),
    (
      "import TaskKitDurable\n@ScheduleTask(daily: \"07:00\", timeZone: \"Europe/Berln\", durable: true) struct A {}",
      "2:41: \(misspelt)"
    ),
    (
      "@ScheduleTask(daily: \"07:00\", timeZone: \"Middle/Earth\") enum A {}",
      "1:41: warning: the machine knows no time zone 'Middle/Earth'; name one that it knows, or install its time zone "
        + "database ('tzdata')"
    ),
  ])
  func `a literal that names no zone is a warning where it stands, in the words of the center`(
    text: String, expected: String
  ) {
    let found = generate(["App.swift": text])
    #expect(found.diagnostics == ["App.swift:\(expected)"])
    // The program may run on a machine that knows it.
    #expect(found.text != nil)
  }

  @Test(arguments: [
    "\"Europe/Berlin\"", "\"America/Argentina/Buenos_Aires\"", "\"US/Eastern\"", "\"Asia/Calcutta\"", "\"UTC\"",
    "\"GMT+2\"", ".utc", ".current", ".berln", "ScheduleTimeZone(zone)", "\"\\(continent)/Berln\"",
  ])
  func `a zone that is known, and what only the program knows, is let be`(zone: String) {
    #expect(generate(["App.swift": "@ScheduleTask(daily: \"07:00\", timeZone: \(zone)) enum A {}"]).diagnostics == [])
  }

  @Test func `where the building machine has no zones nothing is said of any`() {
    let text = "@ScheduleTask(daily: \"07:00\", timeZone: \"Europe/Berln\") enum A {}"
    #expect(generate(["App.swift": text]) { [] }.diagnostics == [])
  }

  @Test func `the zones of another module were looked at when that was built`() {
    let core = "@ScheduleTask(daily: \"07:00\", timeZone: \"Europe/Berln\") public enum A {}"
    #expect(generate([:], dependencies: [(name: "Core", files: ["Core.swift": core])]).diagnostics == [])
  }
}
