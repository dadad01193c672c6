import TaskGraph

/// The events that modules declare, in extensions and in annotations, with what TaskKit itself declares.
struct EventTable {
  /// By number: the members of each module, then what its annotations make.
  let events: [ScannedEvent]
  /// By member: the numbers of the events.
  private var declared: [String: [Int]] = [:]

  /// The type whose static members are events.
  static let type = "LifecycleEvent"

  /// How a source may write the type, and `.` alone.
  static let types = [[type], ["TaskKit", type], [""]]

  init(_ modules: [ScannedModule]) {
    events = modules.flatMap { module in module.events + module.tasks.flatMap(\.events) }
    for (number, event) in events.enumerated() {
      if let member = event.member { declared[member, default: []].append(number) }
    }
  }

  /// The event that a task names by its member.
  func resolve(_ occasion: Occasion, in task: ScannedTask) -> Occasion { find(occasion, in: task).occasion }

  /// The number of the event that a task names by its member, where a module declares it with a name that can be read.
  func number(of occasion: Occasion, in task: ScannedTask) -> Int? { find(occasion, in: task).number }

  private func find(_ occasion: Occasion, in task: ScannedTask) -> (occasion: Occasion, number: Int?) {
    guard case .event(let name) = occasion, name.hasPrefix(".") else { return (occasion, nil) }
    let end = follow(String(name.dropFirst()), in: task) { _, numbers in
      // The module's own one hides those of others; of the branches of one '#if', the task's.
      numbers.first { events[$0].module == task.module && !events[$0].conditions.exclude(task.conditions) }
        ?? numbers.first { !events[$0].conditions.exclude(task.conditions) } ?? numbers[0]
    }
    switch end {
    case .event(let number, let member):
      if let name = events[number].name { return (.event(name), number) }
      // It is not TaskKit's own of that name.
      return (.event(KnownEvents.types[member] == nil ? member : task.module + "." + member), nil)
    case .undeclared(let member), .open(let member): return (.event(member), nil)
    }
  }

  /// The event that a task means, and what that is told beside its name; nil where it differs from build to build, or the
  /// sources do not tell.
  func certain(
    _ reference: ScannedTask.EventReference, in task: ScannedTask
  ) -> (name: String, options: EventOptions)? {
    guard case .event(let name) = reference.occasion else { return nil }
    guard name.hasPrefix(".") else { return (name, reference.options) }
    let end = follow(String(name.dropFirst()), in: task) { member, numbers in
      // Which of TaskKit's own and another of that name is meant, their types or the imports tell.
      guard KnownEvents.types[member] == nil else { return nil }
      let possible = numbers.filter { !events[$0].conditions.exclude(task.conditions) }
      let own = possible.filter { events[$0].module == task.module }
      let candidates = own.isEmpty ? possible : own
      guard let first = candidates.first, candidates.allSatisfy({ meansTheSame($0, as: first) }) else { return nil }
      return first
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

  /// Goes from a member to the one that it stands for, and so on.
  ///
  /// - Parameter choose: which event a member is, of those that it may be, by number; nil where that is not certain.
  private func follow(_ member: String, in task: ScannedTask, choose: (String, [Int]) -> Int?) -> End {
    var member = member
    var viewer = (module: task.module, file: task.file)
    for _ in 0..<NameScope.longestAlias {
      guard let numbers = visible(member, in: viewer) else { return .undeclared(member) }
      guard let number = choose(member, numbers) else { return .open(member) }
      let event = events[number]
      guard event.name == nil, let alias = event.alias else { return .event(number, member: member) }
      member = alias
      viewer = (event.module, event.scope.file)
    }
    return .open(member)
  }

  /// The events that a member may be where a file names it, by number; nil if there are none. A private one is there for its
  /// own file alone.
  private func visible(_ member: String, in viewer: (module: String, file: Int)) -> [Int]? {
    let numbers = declared[member, default: []].filter { number in
      let event = events[number]
      return !event.isHidden || (event.module == viewer.module && event.scope.file == viewer.file)
    }
    return numbers.isEmpty ? nil : numbers
  }
}
