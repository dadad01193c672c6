import TaskGraph

/// Finds the task that a type in `dependencies:` stands for.
struct TypeResolver {
  enum Match {
    /// Several where branches of `#if` declare the type: a build has one of them.
    case tasks([Int])
    /// It differs from build to build, or the sources do not tell: the compiler knows, and the program looks the type up.
    /// These are what is nearest.
    case undecided([Int])
    case none(Reason)
  }

  /// Why a type stands for no task.
  enum Reason {
    /// The task of this name is in a module that the file does not import.
    case notImported(task: Int)
    /// There is such a type, and it is no task.
    case notATask(KnownType)
    /// An alias of something that is not found; a task with a name that is near.
    case brokenAlias(KnownAlias, near: Int?)
    /// A member of the annotated type itself, which hides what the name means outside of it.
    case ownMember(SourcePlace)
    /// `Self`, which means the annotated type where the macro puts it, and where it stands the innermost of these types
    /// around it; their names are as the source has them.
    case selfType(around: [String])
    /// No such type; a task with a name that is near.
    case unknown(near: Int?)

    /// Whether a module that is not scanned may have the task.
    var mayBeElsewhere: Bool {
      switch self {
      case .notImported, .brokenAlias, .unknown: true
      case .notATask, .ownMember, .selfType: false
      }
    }
  }

  let tasks: [ScannedTask]
  let numbers: [NameScope.Candidate: [Int]]
  /// The names that tasks have in their paths behind the first one: only these can be inherited.
  let innerNames: Set<String>
  let known: KnownTypes

  init(tasks: [ScannedTask], known: KnownTypes) {
    self.tasks = tasks
    self.known = known
    var numbers: [NameScope.Candidate: [Int]] = [:]
    for (number, task) in tasks.enumerated() {
      numbers[.init(module: task.module, path: task.path), default: []].append(number)
      for path in TypeResolver.unaliasedPaths(of: task, known) {
        numbers[.init(module: task.module, path: path), default: []].append(number)
      }
    }
    self.numbers = numbers
    innerNames = Set(numbers.keys.flatMap { $0.path.dropFirst() })
  }

  /// The paths of a task whose extension says `Core.Feed` or an alias instead of `Feed`.
  private static func unaliasedPaths(of task: ScannedTask, _ known: KnownTypes) -> Set<[String]> {
    guard let extended = task.extended else { return [] }
    let behind = task.path.dropFirst(extended.names.count)
    return Set(known.unaliased(extended, in: task.fileScope).map { $0 + behind }).subtracting([task.path])
  }

  func resolve(_ reference: ScannedTask.TypeReference, from task: ScannedTask) -> Match {
    var reference = reference
    if reference.path.names.first == "Self", !task.surroundings.isEmpty {
      guard let module = task.owner else { return .none(.selfType(around: task.typeNames.dropLast())) }
      // The methods of a module are annotated inside of it.
      reference.path.names.replaceSubrange(..<1, with: module)
    }
    if let place = ownMember(reference.path, of: task) { return .none(.ownMember(place)) }
    let scope = scope(of: task)
    if let meaning = lookUp(reference.path, in: scope, beside: task) {
      if !meaning.isCertain { return .undecided(meaning.tasks) }
      if !meaning.tasks.isEmpty { return .tasks(meaning.tasks) }
      if let alias = meaning.aliases.last {
        if let type = known.types(alias.target, in: alias.scope).first { return .none(.notATask(type)) }
        return inherited(alias.target, in: alias.scope, beside: task)
          ?? .none(.brokenAlias(alias, near: suggestion(for: alias.target, of: task)))
      }
    }
    if let match = inherited(reference.path, in: scope, beside: task) { return match }
    // Types that are no tasks are looked for only when nothing is found: it takes reading every file. A type of the module
    // itself hides one of another module.
    let names = reference.path.plainNames
    if !known.isInModule(reference.path, of: scope),
      let elsewhere = tasks.indices.first(where: { tasks[$0].path == names && tasks[$0].module != task.module })
    {
      // Where another file imports the module, the compiler may see it here as well.
      if isInTypeSeen(tasks[elsewhere], from: scope) { return .undecided([elsewhere]) }
      return .none(.notImported(task: elsewhere))
    }
    if let type = known.types(reference.path, in: scope).first { return .none(.notATask(type)) }
    return .none(.unknown(near: suggestion(for: reference.path, of: task)))
  }

  /// What a path means whose last names are those of a member that the type before them inherits; nil where it is none. Asked
  /// only when nothing is found, since it takes reading whole modules.
  private func inherited(_ path: TypePath, in scope: NameScope, beside task: ScannedTask) -> Match? {
    for length in stride(from: path.names.count - 1, to: 0, by: -1) {
      var front = path
      front.names = Array(path.names[..<length])
      let behind = TypePath(names: Array(path.names[length...]))
      let types = known.declared(front, in: scope).flatMap { known.inherited(by: $0) }
      let level = NameScope.Level(
        candidates: types.map { .init(module: $0.module, path: $0.path + behind.plainNames) }, isForeign: true)
      guard let meaning = meaning(of: behind, at: level, in: scope, beside: task, trail: []) else { continue }
      // Which of several supertypes is meant, only the compiler knows.
      let isOne = Set(meaning.tasks.map { tasks[$0].path }).count <= 1
      if !meaning.isCertain || !isOne { return .undecided(meaning.tasks) }
      if !meaning.tasks.isEmpty { return .tasks(meaning.tasks) }
    }
    return nil
  }

  /// Whether a task is a member of a type that a place sees, in an extension that everybody may use.
  private func isInTypeSeen(_ task: ScannedTask, from scope: NameScope) -> Bool {
    guard task.access == .public, let extended = task.extended else { return false }
    let seen = known.declared(TypePath(names: extended.names), in: scope)
    return known.declared(extended, in: task.fileScope).contains(where: seen.contains)
  }

  /// Whether one of the tasks is meant.
  func finds(_ reference: ScannedTask.TypeReference, from task: ScannedTask) -> Bool {
    lookUp(reference.path, in: scope(of: task), beside: task).map { !$0.tasks.isEmpty } ?? false
  }

  private func scope(of task: ScannedTask) -> NameScope {
    NameScope(module: task.module, file: task.file, surroundings: task.surroundings, imports: task.imports)
  }

  /// Where a name is declared in the annotated type: the compiler reads an annotation outside of the type, and what the
  /// macro copies from it inside.
  private func ownMember(_ path: TypePath, of task: ScannedTask) -> SourcePlace? {
    // The methods of a module are annotated inside of it.
    guard task.owner == nil, path.module == nil else { return nil }
    let type = NameScope.Surrounding(path: task.path, isExtension: false, supertypes: task.supertypes)
    let inside = NameScope(
      module: task.module, file: task.file, surroundings: [type] + task.surroundings, imports: task.imports)
    for level in levels(path, in: type, of: inside) {
      guard let meaning = meaning(of: path, at: level(), in: inside, beside: task, trail: []), !meaning.isExcluded
      else {
        continue
      }
      // What the type inherits from one around it is the same outside.
      if let outside = lookUp(path, in: scope(of: task), beside: task), meaning.isCertain, outside.isCertain,
        !meaning.tasks.isEmpty, meaning.tasks == outside.tasks
      {
        return nil
      }
      return meaning.aliases.first?.place ?? meaning.tasks.first.map { tasks[$0].namePlace }
    }
    return nil
  }

  /// A task with a name that is near, and that this one can depend on.
  private func suggestion(for path: TypePath, of task: ScannedTask) -> Int? {
    let candidates = tasks.indices.filter { number in
      let other = tasks[number]
      // A method of a module has no type, and its name is no type's.
      return other.owner == nil && (other.module, other.path) != (task.module, task.path)
        && (other.module == task.module || other.access == .public)
    }
    let names = TaskNames(
      candidates.lazy.map { number in
        let other = tasks[number]
        return (([other.module] + other.path).joined(separator: "."), other.module)
      })
    let written = ([path.module].compactMap(\.self) + path.plainNames).joined(separator: ".")
    return names.nearest(to: written).map { candidates[$0.number] }
  }
}
