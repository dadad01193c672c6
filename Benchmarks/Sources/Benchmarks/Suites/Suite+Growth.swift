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
      /// By step and count.
      var times: [String: [Int: [Double]]] = [:]
      // The first turn is thrown away: it meets what the process has never done. Then every other one backwards, since
      // the machine may change its speed meanwhile.
      for turn in 0...3 {
        for count in turn == 0 ? Array(counts.prefix(1)) : turn.isMultiple(of: 2) ? counts : counts.reversed() {
          var run = GrowthRun(count: count)
          do { try await use.run(&run) } catch { section.note(mistake: "\(count) things: \(error)") }
          titles = run.steps.map(\.title)
          guard turn > 0 else { continue }
          for (title, time) in run.steps { times[title, default: [:]][count, default: []].append(time) }
        }
      }
      for title in titles {
        let medians = counts.compactMap { times[title]?[$0]?.median }
        guard medians.count == counts.count, let first = medians.first, let last = medians.last else { continue }
        section.add(
          title,
          zip(counts, medians).map { ("\($0)", Section.nanoseconds($1), $1, "ns") }
            + [("growth", Section.ratio(last / first), last / first, "×")])
        // Less than that is a matter of caches.
        if last > 500 { growth.append((title, last / first)) }
      }
    }
    section.judge(.atMost(3, "growth, the most many things against the fewest", growth))
    return section
  }
}
