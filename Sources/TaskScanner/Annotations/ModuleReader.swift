import TaskGraph

/// Reads what the annotations of a module say.
struct ModuleReader {
  private var module: ScannedModule
  private let isTarget: Bool
  /// Types of its own that are called like the type of events: the file of each, and whether no other file sees it.
  private var namesakes: [(file: Int, isHidden: Bool)] = []

  /// - Parameters:
  ///   - files: in the order of their paths inside the target, by bytes.
  ///   - isTarget: whether its annotations are checked one by one; those of other modules were when these were built.
  ///   - zones: the time zones that the building machine can list.
  static func read(
    name: String, dependencies: Set<String>, files: [SourceText], isTarget: Bool, zones: @escaping () -> [String]
  ) -> ScannedModule {
    var reader = ModuleReader(
      module: ScannedModule(name: name, dependencies: dependencies, files: files), isTarget: isTarget)
    for index in files.indices where ByteSearch.mayDeclare(files[index]) {
      reader.read(file: index, zones: zones)
    }
    reader.leaveOutNamesakes()
    return reader.module
  }

  private init(module: ScannedModule, isTarget: Bool) {
    self.module = module
    self.isTarget = isTarget
  }

  private mutating func read(file index: Int, zones: @escaping () -> [String]) {
    let file = FileReader(module.files[index], module: module.name, index: index)
    module.tasks += file.tasks(readsBodies: isTarget)
    module.taskModules += file.taskModules()
    module.kinds += file.kinds()
    if isTarget {
      let checks = AnnotationChecks.run(in: file, zones: zones)
      module.problems += checks.problems
      module.problemsOfMacros += checks.problemsOfMacros
      module.misplaced += checks.misplaced
    }
    module.events += file.events()
    module.hasAliasOfEventType = module.hasAliasOfEventType || file.hasAliasOfEventType
    namesakes += file.namesakesOfEventType().map { (index, $0.isHidden) }
    module.imports[index] = file.imports()
  }

  /// What extends a type of the module's own is no event: that type hides TaskKit's, unless this is named.
  private mutating func leaveOutNamesakes() {
    guard !namesakes.isEmpty else { return }
    let name = module.name
    module.events.removeAll { event in
      guard let extended = event.extended else { return false }
      let owner = extended.module ?? (extended.names.count > 1 ? extended.plainNames.first : nil)
      return (owner ?? name) == name && namesakes.contains { !$0.isHidden || $0.file == event.scope.file }
    }
  }
}
