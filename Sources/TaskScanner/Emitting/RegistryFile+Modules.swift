extension RegistryFile {
  /// The call that adds a class or an actor with its methods.
  func moduleAddition(_ module: ScannedTask, _ imports: [String]) -> String {
    let name = reference(to: module)
    let methods = own.filter { number in
      let task = tasks[number]
      return task.owner == module.path && task.file == module.file && task.conditions == module.conditions
    }
    guard let first = methods.first else { return "_tasks.add(\(name).registration)" }
    let links = methods.map { method in
      let parts = [("dependencies", proof.dependencies[method]), ("after", proof.after[method])].compactMap {
        label, others -> String? in
        guard let others, !others.isEmpty else { return nil }
        return "\(label): [\(others.map { slot($0, imports) }.joined(separator: ", "))]"
      }
      return ".init(\(parts.joined(separator: ", ")))"
    }
    return "_tasks.add(\(name).registration, at: \(slots[first]), [\(links.joined(separator: ", "))])"
  }
}
