extension RegistryFile {
  /// The call that adds a kind of durable work. It has no slot: nothing in the graph of tasks refers to it.
  func kindAddition(_ kind: ScannedTask) -> String { "_tasks.add(\(reference(to: kind)).registration)" }
}
