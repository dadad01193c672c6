extension RegistryFile {
  /// The lines that add kinds of durable work. They have no slots: nothing in the graph of tasks refers to them.
  func kindAdditions(_ kinds: [ScannedTask], indentation: String) -> String {
    Self.conditioned(
      kinds.map { Self.guarded("_tasks.add(\($0.typeName).registration)", for: $0, indentation: indentation) })
  }
}
