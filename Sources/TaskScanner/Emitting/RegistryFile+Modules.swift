extension RegistryFile {
  /// The lines that add classes and actors with their methods.
  func moduleAdditions(_ modules: [ScannedTask], _ imports: [String], indentation: String) -> String {
    Self.conditioned(
      modules.map { Self.guarded(addition($0, imports), for: $0, indentation: indentation) })
  }

  private func addition(_ module: ScannedTask, _ imports: [String]) -> String {
    let methods = own.filter { number in
      let task = tasks[number]
      return task.owner == module.path && task.file == module.file && task.conditions == module.conditions
    }
    guard let first = methods.first else { return "_tasks.add(\(module.typeName).registration)" }
    let links = methods.map { method in
      let parts = [("dependencies", proof.dependencies[method]), ("after", proof.after[method])].compactMap {
        label, others -> String? in
        guard let others, !others.isEmpty else { return nil }
        return "\(label): [\(others.map { slot($0, imports) }.joined(separator: ", "))]"
      }
      return ".init(\(parts.joined(separator: ", ")))"
    }
    return "_tasks.add(\(module.typeName).registration, at: \(slots[first]), [\(links.joined(separator: ", "))])"
  }
}
