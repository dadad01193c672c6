import TaskGraph

/// The events that modules declare, in extensions and in annotations, with what TaskKit itself declares.
struct EventTable {
  /// By number: the members of each module, then what its annotations make.
  let events: [ScannedEvent]
  /// By member: the numbers of the events.
  private var declared: [String: [Int]] = [:]
  /// By module: those that it depends on.
  private let dependencies: [String: Set<String>]

  /// The type whose static members are events.
  static let type = "LifecycleEvent"

  /// How a source may write the type, and `.` alone.
  static let types = [[type], ["TaskKit", type], [""]]

  init(_ modules: [ScannedModule], _ known: KnownTypes) {
    dependencies = Dictionary(modules.map { ($0.name, $0.dependencies) }) { first, _ in first }
    let hasAlias = modules.contains(where: \.hasAliasOfEventType)
    events = modules.flatMap { module in
      module.events + (hasAlias ? AliasedEvents.events(in: module, known) : []) + module.tasks.flatMap(\.events)
    }
    for (number, event) in events.enumerated() {
      if let member = event.member { declared[member, default: []].append(number) }
    }
  }

  /// The event that a task names by its member.
  func resolve(_ occasion: Occasion, in task: ScannedTask) -> Occasion { meaning(of: occasion, in: task).occasion }

  /// The number of the event that a task names by its member, where a module declares it with a name that can be read.
  func number(of occasion: Occasion, in task: ScannedTask) -> Int? {
    guard case .declared(_, let number) = meaning(of: occasion, in: task) else { return nil }
    return number
  }

  /// Whether the sources tell which event an occasion is; of what is none they have nothing to tell here.
  func isTold(_ occasion: Occasion, in task: ScannedTask) -> Bool {
    if case .untold = meaning(of: occasion, in: task) { false } else { true }
  }

  /// What an occasion of a task is.
  private enum Meaning {
    /// No event, or one whose name is known, though no module declares it by a member.
    case plain(Occasion)
    /// The event that a module declares, by number.
    case declared(Occasion, number: Int)
    /// Nobody else's, as far as the sources tell, unless who means the same writes the same.
    case untold(Occasion)

    var occasion: Occasion {
      switch self {
      case .plain(let occasion), .declared(let occasion, _), .untold(let occasion): occasion
      }
    }
  }

  private func meaning(of occasion: Occasion, in task: ScannedTask) -> Meaning {
    guard case .event(let name) = occasion, name.hasPrefix(".") else { return .plain(occasion) }
    let end = follow(String(name.dropFirst()), in: task) { member, candidates in
      guard let first = candidates.numbers.first else { return nil }
      // Which of TaskKit's own and another module's of that name is meant, their types tell.
      guard candidates.areOwn || KnownEvents.types[member] == nil || events[first].name == member else { return nil }
      // Of branches of one '#if' a build has one: what is wrong with that is wrong.
      let others = candidates.numbers.filter { !meansTheSame($0, as: first) }
      return others.allSatisfy { events[$0].conditions.exclude(events[first].conditions) } ? first : nil
    }
    switch end {
    case .event(let number, let member):
      if let name = events[number].name { return .declared(.event(name), number: number) }
      // It is not TaskKit's own of that name.
      return .untold(.event(KnownEvents.types[member] == nil ? member : task.module + "." + member))
    case .undeclared(let member):
      return KnownEvents.types[member] == nil ? .untold(.event(member)) : .plain(.event(member))
    case .open(let member): return .untold(.event(task.module + "." + member))
    }
  }

  /// The event that a task means, and what that is told beside its name; nil where it differs from build to build, or the
  /// sources do not tell.
  func certain(
    _ reference: ScannedTask.EventReference, in task: ScannedTask
  ) -> (name: String, options: EventOptions)? {
    guard case .event(let name) = reference.occasion else { return nil }
    guard name.hasPrefix(".") else { return (name, reference.options) }
    let end = follow(String(name.dropFirst()), in: task) { member, candidates in
      // Which of TaskKit's own and another of that name is meant, their types or the imports tell.
      guard KnownEvents.types[member] == nil, candidates.areInSomeBuild, let first = candidates.numbers.first else {
        return nil
      }
      return candidates.numbers.allSatisfy { meansTheSame($0, as: first) } ? first : nil
    }
    switch end {
    case .event(let number, _): return events[number].name.map { ($0, events[number].options) }
    case .undeclared(let member) where KnownEvents.types[member] != nil:
      return (member, KnownEvents.options(of: member))
    case .undeclared, .open: return nil
    }
  }

  private func meansTheSame(_ number: Int, as other: Int) -> Bool {
    let (event, other) = (events[number], events[other])
    return event.name == other.name && event.alias == other.alias && event.options == other.options
  }

  // MARK: - Members

  /// Where a way from one member to the next one ends.
  private enum End {
    /// At an event, by number, whose name may be one that cannot be read.
    case event(Int, member: String)
    /// At a member that no module declares.
    case undeclared(String)
    /// At one that may be several, or in a circle, which does not compile.
    case open(String)
  }

  /// The events that a member may be where a file names it.
  private struct Candidates {
    var numbers: [Int]
    /// Whether they are the module's own, which hide those of others.
    let areOwn: Bool
    /// Whether a build can have one of them and the task.
    let areInSomeBuild: Bool
  }

  /// Goes from a member to the one that it stands for, and so on.
  ///
  /// - Parameter choose: which event a member is, of those that it may be, by number; nil where that is not certain.
  private func follow(_ member: String, in task: ScannedTask, choose: (String, Candidates) -> Int?) -> End {
    var member = member
    var viewer = task.fileScope
    for _ in 0..<NameScope.longestAlias {
      guard let candidates = candidates(member, in: viewer, beside: task) else { return .undeclared(member) }
      guard let number = choose(member, candidates) else { return .open(member) }
      let event = events[number]
      guard event.name == nil, let alias = event.alias else { return .event(number, member: member) }
      member = alias
      viewer = event.scope
    }
    return .open(member)
  }

  /// The events that a member may be where a file names it; nil if there are none.
  private func candidates(_ member: String, in viewer: NameScope, beside task: ScannedTask) -> Candidates? {
    let visible = declared[member, default: []].filter { isVisible(events[$0], in: viewer) }
    guard !visible.isEmpty else { return nil }
    let present = visible.filter { !events[$0].conditions.exclude(task.conditions) }
    let possible = present.isEmpty ? visible : present
    let own = possible.filter { events[$0].module == viewer.module }
    return Candidates(
      numbers: own.isEmpty ? possible : own, areOwn: !own.isEmpty, areInSomeBuild: !present.isEmpty)
  }

  /// Whether a file may name the member: one of another module only where its own depends on that.
  private func isVisible(_ event: ScannedEvent, in viewer: NameScope) -> Bool {
    let isInSight =
      event.module == viewer.module || dependencies[viewer.module, default: []].contains(event.module)
    return isInSight
      && viewer.sees(event.access, file: event.scope.file, of: event.module, isForeign: true)
  }
}
