import ZoneData

/// The next change of every zone's clocks, found once, when the database is read.
public struct UpcomingTransitions: Sendable {
  private let since: Int64
  private let transitions: [String: Transition]

  public init(of zones: some Collection<Zone>, since: Int64) {
    self.since = since
    var transitions: [String: Transition] = [:]
    for zone in zones { transitions[zone.name] = zone.nextTransition(after: since) }
    self.transitions = transitions
  }

  /// How many zones still change their clocks.
  public var count: Int { transitions.count }

  /// The next change after a Unix time.
  public func transition(of zone: Zone, after time: Int64) -> Transition? {
    // What was found holds from then until it comes.
    guard time >= since else { return zone.nextTransition(after: time) }
    guard let known = transitions[zone.name] else { return nil }
    return time < known.time ? known : zone.nextTransition(after: time)
  }
}
