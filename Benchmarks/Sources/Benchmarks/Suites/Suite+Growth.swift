import Measuring

extension Suite {
  /// Whether what is done to one thing costs more where there are many others.
  static func growth(_ options: Options) async -> Section {
    let counts = options.isQuick ? [500, 4000] : [1000, 4000, 16_000]
    var section = Section(
      "growth", "one of many things, with so many others", columns: ["what"] + counts.map { "\($0)" } + ["growth"])
    var growth: [(row: String, value: Double)] = []
    for use in GrowthCase.all {
      var titles: [String] = []
      var times: [String: [Double]] = [:]
      for count in counts {
        var run = GrowthRun(count: count)
        do { try await use.run(&run) } catch { section.note(mistake: "\(count) things: \(error)") }
        titles = run.steps.map(\.title)
        for (title, time) in run.steps { times[title, default: []].append(time) }
      }
      for title in titles {
        let all = times[title, default: []]
        let factor = all[all.count - 1] / all[0]
        section.add(
          title,
          zip(counts, all).map { ("\($0)", Section.nanoseconds($1), $1, "ns") }
            + [("growth", Section.ratio(factor), factor, "×")])
        // What takes less than a look at the clock is not judged.
        if all[all.count - 1] > 1000 { growth.append((title, factor)) }
      }
    }
    section.judge(.atMost(3, "growth, the most many things against the fewest", growth))
    return section
  }
}
