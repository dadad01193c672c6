import Synchronization

/// All types and aliases of the scanned modules. Read at the first question, which only a mistake or an alias asks.
final class KnownTypes: Sendable {
  private struct Contents {
    /// `Module:Path`.
    var types: Set<String> = []
    var aliases: [String: String] = [:]
    var exports: [String: [String]] = [:]
  }

  private let sources: [(module: String, files: [SourceText])]
  private let contents = Mutex<Contents?>(nil)
  /// Whether some file has the attribute: looked up once, not for each reference.
  private let exporting = Mutex<Bool?>(nil)

  init(_ modules: [ScannedModule]) {
    sources = modules.map { ($0.name, $0.files) }
  }

  /// What an alias of that name stands for, seen from a task.
  func alias(_ reference: ScannedTask.TypeReference, from task: ScannedTask) -> String? {
    let contents = read()
    return candidates(reference, from: task).lazy.compactMap { contents.aliases[$0] }.first
  }

  func hasType(_ reference: ScannedTask.TypeReference, from task: ScannedTask) -> Bool {
    let contents = read()
    return candidates(reference, from: task).contains { contents.types.contains($0) }
  }

  /// Whether the task's own module declares the type.
  func isInModule(_ reference: ScannedTask.TypeReference, of task: ScannedTask) -> Bool {
    let contents = read()
    let prefix = task.module + ":"
    return candidates(reference, from: task).contains { $0.hasPrefix(prefix) && contents.types.contains($0) }
  }

  /// The modules that some modules import for all who import them.
  func reexported(by modules: [String]) -> [String] {
    // Only a file with the attribute can do that; most programs have none, and no file is read for it.
    guard mayReexport() else { return [] }
    let exports = read().exports
    var result: [String] = []
    var open = modules
    while let next = open.popLast() {
      for exported in exports[next] ?? [] where !result.contains(exported) {
        result.append(exported)
        open.append(exported)
      }
    }
    return result
  }

  private func mayReexport() -> Bool {
    if let known = exporting.withLock({ $0 }) { return known }
    let isFound = sources.contains { $0.files.contains(where: ByteSearch.mayReexport) }
    exporting.withLock { $0 = isFound }
    return isFound
  }

  private func candidates(_ reference: ScannedTask.TypeReference, from task: ScannedTask) -> [String] {
    if let module = reference.module { return [module + ":" + reference.path.joined(separator: ".")] }
    let inModule = stride(from: task.path.count, through: 0, by: -1).map { depth in
      task.module + ":" + (task.path.prefix(depth) + reference.path).joined(separator: ".")
    }
    return inModule + sources.map { $0.module + ":" + reference.path.joined(separator: ".") }
  }

  private func read() -> Contents {
    if let contents = contents.withLock({ $0 }) { return contents }
    var made = Contents()
    for (module, files) in sources {
      for (index, source) in files.enumerated() {
        let file = FileReader(
          source: source, declarations: DeclarationReader.read(source), module: module, index: index)
        for path in file.typePaths() { made.types.insert(module + ":" + path) }
        for (path, target) in file.aliases() { made.aliases[module + ":" + path] = target }
        made.exports[module, default: []] += file.exports()
      }
    }
    contents.withLock { $0 = made }
    return made
  }
}

extension FileReader {
  func typePaths() -> [String] {
    declarations.types.indices.filter { declarations.types[$0].kind != .extension }.map { plainPath(of: $0) }
  }

  /// The aliases outside of functions: their path, and the type that they stand for.
  func aliases() -> [(path: String, target: String)] {
    declarations.aliases.compactMap { alias in
      let target = source.text(alias.target).filter { !$0.isWhitespace }
      guard !target.isEmpty else { return nil }
      let name = FileReader.plain(source.text(alias.name))
      return (alias.parent.map { plainPath(of: $0) + "." + name } ?? name, target)
    }
  }

  /// The modules of `@_exported import`.
  func exports() -> [String] {
    declarations.imports.filter { declaration in
      declaration.attributes.contains { source.text(declarations.attributes[$0].name) == "_exported" }
    }.map { FileReader.plain(source.text($0.path).filter { !$0.isWhitespace }) }
  }
}
