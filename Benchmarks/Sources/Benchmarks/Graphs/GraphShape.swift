/// The form of a graph.
enum GraphShape: String, CaseIterable, Sendable {
  /// Each task depends on the one before.
  case chain
  /// No task depends on another.
  case wide
  /// Layers `min(100, n / 10)` wide; each task depends on three distinct random ones of the layer before.
  case layered
  /// Layered, declared in random order and with one of four priorities: neither order nor memory comes prepared.
  case shuffled

  /// Those that the targets are about.
  static let main: [GraphShape] = [.chain, .wide, .layered]
}
