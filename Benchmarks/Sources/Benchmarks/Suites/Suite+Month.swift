import Measuring
import TaskKit
import TaskKitTesting

extension Suite {
  /// How long thirty days of schedules take on virtual clocks, which a test drives.
  static func month(_ options: Options) async -> Section {
    let columns = ["schedules", "runs", "30 days", "per run"]
    var section = Section("month", "30 days of schedules, driven on virtual clocks", columns: columns)
    for rhythms in Rhythm.allCases.map({ [$0] }) + [Rhythm.allCases] {
      let title = rhythms.map(\.rawValue).joined(separator: ", ")
      var times: [Double] = []
      // Many runs are a mean of their own, and take long.
      for _ in 0..<min(options.rounds, options.isQuick ? 3 : 9) {
        do { times.append(try await drive(rhythms)) } catch { section.note(mistake: "\(title): \(error)") }
      }
      guard !times.isEmpty else { continue }
      let runs = rhythms.reduce(0) { $0 + $1.runs }
      let perRun = times.median / Double(runs)
      section.add(
        title,
        [
          ("runs", "\(runs)", Double(runs), "runs"),
          ("30 days", Section.nanoseconds(times.median), times.median, "ns"),
          ("per run", Section.nanoseconds(perRun), perRun, "ns/run"),
        ])
    }
    return section
  }

  /// - Returns: how long it took, in nanoseconds.
  private static func drive(_ rhythms: [Rhythm]) async throws -> Double {
    let time = VirtualTime()
    let center = TaskCenter(time: time.source)
    try center.inject(rhythms.map { .schedule($0.schedule, name: $0.name) { _ in } })
    center.start()
    let watch = Stopwatch()
    await time.advance(by: .seconds(30 * 86_400), driving: center)
    let elapsed = Double(watch.elapsed)
    for rhythm in rhythms {
      let runs = try center.schedule(of: rhythm.name).runs
      if runs != rhythm.runs { throw Miscount(rhythm: rhythm, runs: runs) }
    }
    return elapsed
  }
}

/// How often something runs, each in a way of its own to say that.
private enum Rhythm: String, CaseIterable {
  case daily, hourly, minutely

  var name: TaskName { TaskName(rawValue) }

  var schedule: TaskSchedule {
    switch self {
    case .daily: TaskSchedule(daily: "02:30", timeZone: .utc)
    case .hourly: TaskSchedule(cron: "0 * * * *", timeZone: .utc)
    case .minutely: TaskSchedule(every: .seconds(60))
    }
  }

  /// In thirty days, of which the last moment counts and the first does not.
  var runs: Int {
    switch self {
    case .daily: 30
    case .hourly: 30 * 24
    case .minutely: 30 * 24 * 60
    }
  }
}

private struct Miscount: Error, CustomStringConvertible {
  let rhythm: Rhythm
  let runs: Int

  var description: String { "the \(rhythm) schedule has run \(runs) times instead of \(rhythm.runs)" }
}
