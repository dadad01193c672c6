import Foundation
import TaskGraph

/// From sources to the registry file: read, prove, write down. Values in, values out; only the tool touches the disk.
package struct Generation {
  /// Everything that is wrong, sorted by place.
  let problems: [Problem]

  /// Everything to tell, as the compiler would: `path:line:column: error: …` and its notes.
  package var diagnostics: [String] { problems.map(\.diagnostic) }

  /// The file's text; nil when there are errors.
  package let text: String?

  /// - Parameters:
  ///   - modules: in any order; the last one is generated for.
  ///   - isComplete: whether all modules that the last one depends on are among them.
  ///   - zones: the time zones that the building machine can list; asked for where a name may be misspelt.
  package init(
    modules: [(name: String, dependencies: Set<String>, files: [SourceText])], isComplete: Bool = true,
    zones: @escaping () -> [String] = { TimeZone.knownTimeZoneIdentifiers }
  ) {
    guard let target = modules.last else {
      problems = []
      text = nil
      return
    }
    let scanned = Generation.sorted(
      modules.map {
        // What was written before follows from the sources, and has no say in what is written now.
        ModuleReader.read(
          name: $0.name, dependencies: $0.dependencies, files: $0.files.filter { !RegistryFile.isText($0) },
          isTarget: $0.name == target.name, zones: zones)
      })
    // What cannot be collected is refused at its place; here it counts as not declared.
    let collectable = scanned.map { module in
      var module = module
      module.tasks.removeAll { !$0.isCollectable }
      module.taskModules.removeAll { !$0.isCollectable }
      module.kinds.removeAll { !$0.type.isCollectable }
      return module
    }
    let tasks = collectable.flatMap(\.tasks)
    let known = KnownTypes(collectable)
    let proof = ScanProof(
      modules: collectable, tasks: tasks, refused: scanned.flatMap(\.tasks).filter { !$0.isCollectable },
      refusedModules: scanned.flatMap(\.taskModules).filter { !$0.isCollectable }, known: known,
      in: ScanScope(target: target.name, scanned: Set(scanned.map(\.name)), isComplete: isComplete))
    problems = proof.problems
    guard !problems.contains(where: { $0.severity == .error }),
      let own = collectable.first(where: { $0.name == target.name })
    else {
      text = nil
      return
    }
    text = RegistryFile(
      modules: collectable, target: own, tasks: tasks, proof: proof, known: known, isComplete: isComplete
    ).text()
  }

  /// Reads the sources of a request and generates.
  package init(_ request: GenerationRequest) throws {
    let modules = try request.modules.map { module in
      let sources = module.sources.sorted { $0.relativePath.utf8.lexicographicallyPrecedes($1.relativePath.utf8) }
      return (
        name: module.name, dependencies: module.dependencies,
        files: try sources.map { source in
          do {
            // With the hint no file is asked whether it is a directory before it is read.
            let file = URL(filePath: source.path, directoryHint: .notDirectory)
            return try SourceText(contentsOf: file, path: source.path)
          } catch {
            throw GenerationError("cannot read \(source.path): \(error.localizedDescription)")
          }
        }
      )
    }
    self.init(modules: modules, isComplete: request.isComplete)
  }

  /// Modules after those that they depend on, ties by name.
  private static func sorted(_ modules: [ScannedModule]) -> [ScannedModule] {
    var rest = modules.sorted { $0.name.utf8.lexicographicallyPrecedes($1.name.utf8) }
    var sorted: [ScannedModule] = []
    while !rest.isEmpty {
      let names = Set(rest.map(\.name))
      let ready = rest.filter { $0.dependencies.isDisjoint(with: names.subtracting([$0.name])) }
      // Modules cannot depend on each other; if a hand-written request says so, names decide.
      let next = ready.first ?? rest[0]
      sorted.append(next)
      rest.removeAll { $0.name == next.name }
    }
    return sorted
  }
}
