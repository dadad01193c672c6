import TaskGraph

/// A kind of durable work that a scanned module declares.
struct ScannedKind {
  /// What `kind:` says, or the name of a durable schedule; nil where it cannot be read.
  let kind: String?
  /// Where that stands, or else the annotation.
  let place: SourcePlace
  /// Where `durable:` of a schedule stands.
  let durable: SourcePlace?
  /// The annotated type: like a task that has no occasion.
  let type: ScannedTask
}
