import Measuring
import TaskKit

extension Suite {
  /// What it costs to do many things later, and how late they are done.
  static func timers(_ options: Options) async -> Section {
    let engines: [any TimerEngine.Type] = [
      CallTimers.self, SourceTimers.self, SleepingTimers.self, ScheduleTimers.self,
    ]
    let columns = ["pending"] + engines.map { $0.name }
    var section = Section("timers", "many things to be done later, each by itself", columns: columns)
    var judged = TimerTargets()
    for count in options.isQuick ? [1000, 10_000] : [1000, 10_000, 100_000, 1_000_000]
    where options.includes(graph: "timers \(count)") {
      let entrants = engines.filter { options.includes(timers: $0.name) }
      let bodies = TimerRound.pendingBodies(count)
      let pending = await rounds(entrants, min(options.rounds, max(1, 500_000 / count))) { engine, round in
        await TimerRound.pending(engine, bodies: bodies, seed: round)
      }
      // Whoever adds slowly is given the time to have added all before the first is due.
      let firing = await rounds(
        entrants, min(options.rounds, count > 100_000 ? 1 : options.isQuick ? 3 : count > 1000 ? 5 : 15)
      ) {
        engine, round in
        await TimerRound.firing(
          engine, count: count, seconds: count > 100_000 ? 4 : 2,
          lead: 200_000_000 + Int64(count) * 40_000, seed: round)
      }
      for mistake in firing.values.joined().compactMap(\.mistake) { section.note(mistake: mistake) }
      func add(_ title: String, _ unit: String, _ values: [String: [Double]]) {
        section.add(
          "\(title), \(count)",
          columns.dropFirst().compactMap { column in
            guard let value = values[column]?.median else { return nil }
            let text = unit == "B" ? "\(Int(value.rounded())) B" : Section.nanoseconds(value)
            guard let first = values[CallTimers.name], column != CallTimers.name, let all = values[column] else {
              return (column, text, value, unit)
            }
            return (column, "\(text) (\(Section.ratio(zip(all, first).map { $0 / $1 }.median)))", value, unit)
          })
        judged.note("\(title), \(count)", values)
      }
      add("add", "ns", pending.mapValues { $0.map(\.adding) })
      add("cancel", "ns", pending.mapValues { $0.map(\.cancelling) })
      add("memory", "B", pending.mapValues { $0.map(\.memory) })
      add("fire", "ns", firing.mapValues { $0.map(\.firing) })
      for (index, percentile) in TimerRound.percentiles.enumerated() {
        add("lateness \(percentile)%", "ns", firing.mapValues { $0.map { $0.lateness[index] } })
      }
    }
    for (engine, subject) in [(CallTimers.name, "a call"), (ScheduleTimers.name, "a named schedule")] {
      for verdict in judged.verdicts(of: engine, subject) { section.judge(verdict) }
    }
    return section
  }

  /// Every engine has its turn in each round, every other one backwards.
  private static func rounds(
    _ engines: [any TimerEngine.Type], _ count: Int,
    _ measure: (any TimerEngine.Type, UInt64) async -> TimerRound
  ) async -> [String: [TimerRound]] {
    var rounds: [String: [TimerRound]] = [:]
    for round in 0..<count {
      for engine in round.isMultiple(of: 2) ? engines : engines.reversed() {
        // Whoever was before may not have ended with everything: timers of Dispatch go one by one, in the background.
        await Stopwatch.processIsQuiet()
        // Who has just slept is slow at first, and 1,000 timers take no longer than that.
        Stopwatch.keepBusy(nanoseconds: 2_000_000)
        rounds[engine.name, default: []].append(await measure(engine, UInt64(round)))
      }
    }
    return rounds
  }
}

/// The targets of what TaskKit does later, be it a light call or a named schedule, and what was measured of each.
private struct TimerTargets {
  private var rows: [(title: String, values: [String: [Double]])] = []

  mutating func note(_ title: String, _ values: [String: [Double]]) {
    rows.append((title, values))
  }

  func verdicts(of engine: String, _ subject: String) -> [Verdict] {
    let many = "1000000"
    let judged: [Verdict?] = [
      .atLeast(
        5, "\(subject): adding is cheaper than a DispatchSourceTimer", ratios("add", SourceTimers.name, to: engine)),
      .atLeast(
        10, "\(subject): adding is cheaper than a sleeping Task", ratios("add", SleepingTimers.name, to: engine)),
      .atMost(100, unit: "ns", "\(subject): cancelling", values("cancel", of: engine)),
      .atMost(120, unit: "B", "\(subject): memory beside its body", values("memory", of: engine)),
    ]
    let late = ["50.0%", "99.0%"].flatMap { percentile in
      let ratios = ratios("lateness \(percentile)", SourceTimers.name, to: engine)
      return [
        Verdict.atLeast(
          1, "\(subject): lateness at \(percentile), times better than a DispatchSourceTimer",
          ratios.filter { $0.row.hasSuffix(" 1000") || $0.row.hasSuffix(" 100000") }),
        .atLeast(
          100, "\(subject): lateness at \(percentile), times better than a DispatchSourceTimer",
          ratios.filter { $0.row.hasSuffix(many) }),
      ]
    }
    return (judged + late).compactMap { $0 }
  }

  private func values(_ prefix: String, of engine: String) -> [(row: String, value: Double)] {
    rows.filter { $0.title.hasPrefix(prefix) }.compactMap { row in
      row.values[engine].map { (row.title, $0.median) }
    }
  }

  /// How many times as much another engine takes: the median of the rounds' ratios.
  private func ratios(_ prefix: String, _ other: String, to engine: String) -> [(row: String, value: Double)] {
    rows.filter { $0.title.hasPrefix(prefix) }.compactMap { row in
      guard let own = row.values[engine], let other = row.values[other] else { return nil }
      return (row.title, zip(other, own).map { $0 / $1 }.median)
    }
  }
}
