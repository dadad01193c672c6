extension RegistryFile {
  /// The lines that add kinds of durable work. They have no slots: nothing in the graph of tasks refers to them.
  func kindAdditions(_ kinds: [ScannedTask], indentation: String) -> String {
    Self.conditioned(
      kinds.map { kind in
        let availability = kind.availability
        let addition = "_tasks.add(\(kind.typeName).registration)"
        return (
          kind.conditions.map(\.text) + (availability.condition.map { [$0] } ?? []),
          indentation + (availability.check.map { "if \($0) { \(addition) }" } ?? addition)
        )
      })
  }
}
