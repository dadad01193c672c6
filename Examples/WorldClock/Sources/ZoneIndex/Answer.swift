import ZoneData

/// What the tasks of the query event reply, each for itself and then merged.
public struct Answer: Sendable, Hashable {
  public var clocks: [Clock] = []
  /// Files that were asked for and are broken.
  public var problems: [ZoneDataError] = []
  /// What may have been meant, where nothing was found.
  public var suggestions: [String] = []

  public init() {}

  /// Whether there is a clock or the reason why there is none.
  public var isConclusive: Bool { !clocks.isEmpty || !problems.isEmpty }

  /// The first that found something wins; suggestions count only while nobody has.
  public static func merge(_ sofar: Answer, _ next: Answer) -> Answer {
    if sofar.isConclusive { return sofar }
    if next.isConclusive { return next }
    var merged = sofar
    merged.suggestions += next.suggestions.filter { !sofar.suggestions.contains($0) }
    return merged
  }
}

extension Atlas {
  /// The clocks of some zones, and what is wrong with those that have none.
  func answer(with names: [String], at instant: Int64) -> Answer {
    var answer = Answer()
    for name in names {
      if let problem = zones.problems[name] { answer.problems.append(problem) }
      guard let zone = zones.zones[name] else { continue }
      let proper = aliases.canonical(name)
      answer.clocks.append(
        Clock(
          name: name, canonicalName: proper, countries: countries.countries(of: proper), instant: instant,
          localTime: zone.localTime(at: instant), next: upcoming.transition(of: zone, after: instant)))
    }
    return answer
  }
}
