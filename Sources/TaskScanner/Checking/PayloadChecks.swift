import TaskGraph

/// Finds a `run` that takes something else than one of TaskKit's own events carries, where both are certain. All else is left
/// to the compiler, which knows types.
enum PayloadChecks {
  /// - Parameters:
  ///   - target: the module that is being built.
  ///   - isComplete: whether all modules that the target depends on are scanned.
  static func problems(
    _ tasks: [ScannedTask], in modules: [ScannedModule], known: KnownTypes, target: String, isComplete: Bool
  ) -> [Problem] {
    guard isComplete else { return [] }
    let names = Set(modules.map(\.name))
    return tasks.compactMap { task in
      guard task.module == target, let parameter = task.runParameter, !task.mayImport(besides: names) else {
        return nil
      }
      for case .event(let event) in task.occasions where event.hasPrefix(".") {
        let member = String(event.dropFirst())
        guard let payload = EventTable.payload(of: member), !EventTable.mayBeSame(name(parameter.type), payload),
          isCertain(parameter, of: task, known),
          // An event of somebody's own may have the name.
          !modules.contains(where: { $0.files.contains { ByteSearch.mayDeclare(member, in: $0) } })
        else { continue }
        return .otherPayload(parameter, event: member, payload: payload)
      }
      return nil
    }
  }

  /// Without the name of a library in front.
  private static func name(_ type: TypePath) -> String {
    let names = type.plainNames
    return names.count == 2 && libraries.contains(names[0]) ? names[1] : names.joined(separator: ".")
  }

  private static let libraries: Set<String> = ["TaskKit", "Swift", "Foundation"]

  /// Whether it is known which type is meant, and that no value of another one is one of it.
  private static func isCertain(
    _ parameter: ScannedTask.RunParameter, of task: ScannedTask, _ known: KnownTypes
  ) -> Bool {
    let type = parameter.type
    guard !type.plainNames.contains(where: known.mayBeAlias) else { return false }
    var own = [NameScope.Surrounding(path: task.path, isExtension: false, supertypes: task.supertypes)]
    own += task.surroundings
    let scope = NameScope(module: task.module, file: task.file, surroundings: own, imports: task.imports)
    if parameter.isContext, !known.types(TypePath(names: ["TaskContext"]), in: scope).isEmpty { return false }
    let found = known.types(type, in: scope)
    guard found.isEmpty else {
      // What a type inherits may be nearer, and a protocol may be that of the payload.
      return found.allSatisfy { $0.kind.isNominal && !$0.isGeneric } && own.allSatisfy(\.supertypes.isEmpty)
        && !task.path.contains { known.mayExtend($0, in: task.module) }
    }
    let isQualified = type.names.count == 2 && libraries.contains(type.plainNames[0])
    guard type.module.map(libraries.contains) ?? true, type.names.count == 1 || isQualified,
      !isQualified || known.types(TypePath(names: [type.names[0]]), in: scope).isEmpty
    else { return false }
    return values.contains(name(type)) || EventTable.payloads.contains(name(type))
  }

  /// Types of the standard library and Foundation to which nothing else is converted.
  private static let values: Set<String> = [
    "Int", "Int8", "Int16", "Int32", "Int64", "UInt", "UInt8", "UInt16", "UInt32", "UInt64", "Double", "Float", "Bool",
    "String", "Substring", "Character", "Date", "Data", "URL", "UUID", "Duration",
  ]
}
