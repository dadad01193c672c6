extension RegistryFile {
  /// The lines that add classes and actors with their methods.
  func moduleAdditions(_ modules: [ScannedTask], _ imports: [String], indentation: String) -> String {
    Self.conditioned(
      modules.map { module in
        let availability = module.availability
        let addition = addition(module, imports)
        return (
          module.conditions.map(\.text) + (availability.condition.map { [$0] } ?? []),
          indentation + (availability.check.map { "if \($0) { \(addition) }" } ?? addition)
        )
      })
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
