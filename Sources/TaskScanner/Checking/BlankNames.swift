import TaskGraph

/// Finds lanes, events and notifications of tasks whose name is blank, where a literal says so. What the annotation itself
/// says of the latter two is looked for with all else that it says.
enum BlankNames {
  static func problems(
    in tasks: [ScannedTask], _ events: EventTable, _ notifications: NotificationNames, known: KnownTypes,
    in scope: ScanScope
  ) -> [Problem] {
    let lanes = MemberNames(known.modules, of: .lane)
    // Many tasks may name one member.
    var places: Set<SourcePlace> = []
    return tasks.filter(scope.builds).flatMap { task -> [Problem] in
      let problems =
        Self.events(of: task, events) + Self.notifications(of: task, notifications, known)
        + lane(of: task, lanes, known)
      return problems.filter { $0.place.map { places.insert($0).inserted } ?? true }
    }
  }

  private static func events(of task: ScannedTask, _ table: EventTable) -> [Problem] {
    task.occasions.compactMap { occasion in
      guard let event = table.number(of: occasion, in: task).map({ table.events[$0] }), event.member != nil,
        event.name?.isBlank == true, !event.options.areUnknown
      else { return nil }
      return .blankEvent(of: task, at: event.place)
    }
  }

  private static func notifications(
    of task: ScannedTask, _ names: NotificationNames, _ known: KnownTypes
  ) -> [Problem] {
    task.occasions.compactMap { occasion in
      guard let member = names.declaration(of: occasion, in: task), isBlank(member, known) else { return nil }
      return .blankNotification(of: task, at: member.place)
    }
  }

  private static func lane(of task: ScannedTask, _ names: MemberNames, _ known: KnownTypes) -> [Problem] {
    switch task.lane {
    case .named(let name, let place) where name.isBlank: return [.blankLane(of: task, at: place)]
    case .member(let member):
      guard let lane = names.declaration(of: member, in: task), isBlank(lane, known) else { return [] }
      return [.blankLane(of: task, at: lane.place)]
    default: return []
    }
  }

  /// Whether the name is blank, and the member is not one of another type that is called so.
  private static func isBlank(_ member: MemberNames.Declaration, _ known: KnownTypes) -> Bool {
    member.name?.isBlank == true
      && known.types(member.extended, in: member.scope).allSatisfy { $0.module == "TaskKit" }
  }
}

extension String {
  /// Whether nobody could read it in a report.
  var isBlank: Bool { allSatisfy(\.isWhitespace) }
}
