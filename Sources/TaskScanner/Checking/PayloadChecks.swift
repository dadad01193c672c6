import TaskGraph

/// Finds a `run` that takes something else than one of TaskKit's own events carries, where both are certain. All else is left
/// to the compiler, which knows types.
enum PayloadChecks {
  static func problems(_ tasks: [ScannedTask], known: KnownTypes, in scope: ScanScope) -> [Problem] {
    guard scope.isComplete else { return [] }
    return tasks.compactMap { task in
      // A branch of `#if` may be one that is never compiled.
      guard scope.builds(task), task.conditions.isEmpty, let parameter = task.runParameter else { return nil }
      let events = task.occasions.compactMap(knownEvent)
      for (member, payload) in events {
        guard !TypeSpelling.mayBeSame(name(parameter.type), payload), isCertain(parameter, of: task, known),
          !OwnEvents.mayDeclare(member, known)
        else { continue }
        let isCommon = events.allSatisfy { TypeSpelling.mayBeSame($0.payload, payload) }
        return .otherPayload(parameter, event: member, payload: payload, isCommon: isCommon)
      }
      return nil
    }
  }

  /// One of TaskKit's own events, unless somebody else's has the name.
  private static func knownEvent(_ occasion: Occasion) -> (member: String, payload: String)? {
    guard case .event(let event) = occasion, event.hasPrefix(".") else { return nil }
    let member = String(event.dropFirst())
    return KnownEvents.types[member].map { (member, $0.payload) }
  }

  /// Without the name of a library in front.
  private static func name(_ type: TypePath) -> String {
    let names = type.plainNames
    return names.count == 2 && libraries.contains(names[0]) ? names[1] : names.joined(separator: ".")
  }

  private static let libraries: Set<String> = ["TaskKit", "Swift", "Foundation"]

  /// Whether it is known which type is meant, that no value of another one is one of it, and that there is no other `run`.
  private static func isCertain(
    _ parameter: ScannedTask.RunParameter, of task: ScannedTask, _ known: KnownTypes
  ) -> Bool {
    let type = parameter.type
    guard !(type.plainNames + ["TaskContext"]).contains(where: known.mayBeAlias),
      let scope = CertainScope.inside(task, known)
    else { return false }
    if parameter.isContext, !known.types(TypePath(names: ["TaskContext"]), in: scope).isEmpty { return false }
    let found = known.types(type, in: scope)
    guard found.isEmpty else {
      // A protocol may be that of the payload.
      return found.allSatisfy { $0.kind.isNominal && !$0.isGeneric && !$0.isConditional }
    }
    let isQualified = type.names.count == 2 && libraries.contains(type.plainNames[0])
    guard type.module.map(libraries.contains) ?? true, type.names.count == 1 || isQualified,
      !isQualified || known.types(TypePath(names: [type.names[0]]), in: scope).isEmpty
    else { return false }
    return KnownTypes.standardValues.contains(name(type)) || KnownEvents.payloads.contains(name(type))
  }
}
