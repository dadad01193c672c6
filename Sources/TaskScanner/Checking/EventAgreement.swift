import TaskGraph

/// Finds events of one name of which something else is said at another place: what they carry, how often they happen, what
/// they do with a burst.
enum EventAgreement {
  static func problems(of table: EventTable, _ tasks: [ScannedTask], _ known: KnownTypes) -> [Problem] {
    var problems: [Problem] = []
    let uses = uses(of: table, by: tasks)
    var namesakes: [String: Namesakes] = [:]
    for (number, event) in table.events.enumerated() {
      guard let name = event.name else { continue }
      let uses = uses[number, default: []]
      // Not kept in a variable: then each addition would copy it.
      if let problem = conflict(of: event, named: name, uses, with: namesakes[name, default: Namesakes()], known) {
        problems.append(problem)
      }
      // As in the program it is a mistake of the tasks.
      if !uses.isEmpty, event.options.contradictsItself { problems.append(.contradictingOptions(event, name: name)) }
      namesakes[name, default: Namesakes()].add(event, uses)
    }
    return problems
  }

  /// An event at which a task runs.
  private struct Use {
    let event: ScannedEvent
    /// Those of the event and of the task.
    let conditions: [ScannedTask.Condition]
  }

  /// By the number of an event: the tasks that run at it. What a burst does, these have to agree on; who sends an event
  /// says that for the sending alone.
  private static func uses(of table: EventTable, by tasks: [ScannedTask]) -> [Int: [Use]] {
    var uses: [Int: [Use]] = [:]
    for (number, event) in table.events.enumerated() where event.member == nil {
      uses[number] = [Use(event: event, conditions: event.conditions)]
    }
    for task in tasks {
      for number in task.occasions.compactMap({ table.number(of: $0, in: task) }) {
        let event = table.events[number]
        uses[number, default: []].append(Use(event: event, conditions: event.conditions + task.conditions))
      }
    }
    return uses
  }

  /// The events of one name that were found before. Many tasks may make one event: what says the same in the same words is
  /// one group, and of a group that agrees with an event nothing else is compared.
  private struct Namesakes {
    private(set) var groups: [[ScannedEvent]] = []
    /// By what they do with a burst.
    private(set) var uses: [[Use]] = []

    mutating func add(_ event: ScannedEvent, _ more: [Use]) {
      if let group = groups.firstIndex(where: { event.saysTheSame(as: $0[0]) }) {
        groups[group].append(event)
      } else {
        groups.append([event])
      }
      guard !more.isEmpty else { return }
      if let group = uses.firstIndex(where: { $0[0].event.options.burst == event.options.burst }) {
        uses[group] += more
      } else {
        uses.append(more)
      }
    }
  }

  private static func conflict(
    of event: ScannedEvent, named name: String, _ uses: [Use], with others: Namesakes, _ known: KnownTypes
  ) -> Problem? {
    conflict(of: event, named: name, isUsed: !uses.isEmpty, known)
      ?? conflict(of: event, named: name, with: others, known) ?? burstConflict(of: uses, named: name, with: others)
  }

  /// With TaskKit's own event of that name.
  private static func conflict(
    of event: ScannedEvent, named name: String, isUsed: Bool, _ known: KnownTypes
  ) -> Problem? {
    guard let types = KnownEvents.types[name] else { return nil }
    if areDifferent(event, payload: types.payload, reply: types.reply, nil, known) {
      return .eventConflict(event, name: name, payload: types.payload, reply: types.reply)
    }
    let options = KnownEvents.options(of: name)
    if event.options.hasOtherCount(than: options) { return .countConflict(event, name: name) }
    return isUsed && event.options.hasOtherBurst(than: options)
      ? .burstConflict(event, name: name, burst: options.burst) : nil
  }

  /// With the events of that name that were found before.
  private static func conflict(
    of event: ScannedEvent, named name: String, with others: Namesakes, _ known: KnownTypes
  ) -> Problem? {
    /// Of the groups that may say something else, the first event that does, and that a build has together with this one.
    func first(
      in groups: [[ScannedEvent]], where isOther: (ScannedEvent) -> Bool = { _ in true }
    ) -> ScannedEvent? {
      groups.joined().first { !$0.conditions.exclude(event.conditions) && isOther($0) }
    }
    let groups = others.groups.filter { !event.saysTheSame(as: $0[0]) }
    let otherTypes = groups.filter { !mayBeSame(event, payload: $0[0].payload, reply: $0[0].reply) }
    if let other = first(
      in: otherTypes, where: { areDifferent(event, payload: $0.payload, reply: $0.reply, $0.typeScope, known) })
    {
      return .eventConflict(event, other, name: name)
    }
    let otherCounts = groups.filter { event.options.hasOtherCount(than: $0[0].options) }
    return first(in: otherCounts).map { .countConflict(event, $0, name: name) }
  }

  /// Of an event with other events of that name, at all of which tasks run.
  private static func burstConflict(of uses: [Use], named name: String, with others: Namesakes) -> Problem? {
    guard let event = uses.first?.event else { return nil }
    let groups = others.uses.filter { event.options.hasOtherBurst(than: $0[0].event.options) }
    for other in groups.joined() where uses.contains(where: { !$0.conditions.exclude(other.conditions) }) {
      return .burstConflict(event, other.event, name: name)
    }
    return nil
  }

  /// Whether the types are two, as far as the sources tell. Where they do not, the program compares the types themselves.
  ///
  /// - Parameter scope: of the other event; nil for one of TaskKit's own.
  private static func areDifferent(
    _ event: ScannedEvent, payload: String, reply: String, _ scope: NameScope?, _ known: KnownTypes
  ) -> Bool {
    [(event.payload, payload), (event.reply, reply)].contains { own, other in
      TypeSpelling.areDifferent(own, in: event.typeScope, other, in: scope, known)
    }
  }

  /// Whether the types may be one by their words alone.
  private static func mayBeSame(_ event: ScannedEvent, payload: String, reply: String) -> Bool {
    TypeSpelling.mayBeSame(event.payload, payload) && TypeSpelling.mayBeSame(event.reply, reply)
  }
}
