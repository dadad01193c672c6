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
      let entrants = engines.filter { count <= $0.maximumCount && options.includes(timers: $0.name) }
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
          lead: 200_000_000 + Int64(count) * (count > ScheduleTimers.maximumCount ? 12_000 : 40_000), seed: round)
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
    for verdict in judged.verdicts { section.judge(verdict) }
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

/// The targets of light calls, and what was measured of them.
private struct TimerTargets {
  private var rows: [(title: String, values: [String: [Double]])] = []

  mutating func note(_ title: String, _ values: [String: [Double]]) {
    rows.append((title, values))
  }

  var verdicts: [Verdict] {
    let many = "1000000"
    let judged: [Verdict?] = [
      .atLeast(5, "adding is cheaper than a DispatchSourceTimer", ratios("add", SourceTimers.name)),
      .atLeast(10, "adding is cheaper than a sleeping Task", ratios("add", SleepingTimers.name)),
      .atMost(100, unit: "ns", "cancelling a call", values("cancel")),
      .atMost(120, unit: "B", "memory of a call beside its body", values("memory")),
    ]
    let late = ["50.0%", "99.0%"].flatMap { percentile in
      let ratios = ratios("lateness \(percentile)", SourceTimers.name)
      return [
        Verdict.atLeast(
          1, "lateness at \(percentile), times better than a DispatchSourceTimer",
          ratios.filter { $0.row.hasSuffix(" 1000") || $0.row.hasSuffix(" 100000") }),
        .atLeast(
          100, "lateness at \(percentile), times better than a DispatchSourceTimer",
          ratios.filter { $0.row.hasSuffix(many) }),
      ]
    }
    return (judged + late).compactMap { $0 }
  }

  private func values(_ prefix: String) -> [(row: String, value: Double)] {
    rows.filter { $0.title.hasPrefix(prefix) }.compactMap { row in
      row.values[CallTimers.name].map { (row.title, $0.median) }
    }
  }

  /// How many times as much another engine takes: the median of the rounds' ratios.
  private func ratios(_ prefix: String, _ engine: String) -> [(row: String, value: Double)] {
    rows.filter { $0.title.hasPrefix(prefix) }.compactMap { row in
      guard let own = row.values[CallTimers.name], let other = row.values[engine] else { return nil }
      return (row.title, zip(other, own).map { $0 / $1 }.median)
    }
  }
}
