import TaskGraph

/// An event that a scanned module declares.
struct ScannedEvent {
  /// The static member, as it is written behind the dot.
  let member: String
  /// Nil where the member stands for another one, or its name cannot be read.
  let name: String?
  /// The other member that it stands for.
  let alias: String?
  /// The payload and the reply, as the extension writes them, without white space; empty where it does not say.
  let payload: String
  let reply: String
  let place: SourcePlace
  /// In which the names of the types are looked up.
  let scope: NameScope
  let conditions: [ScannedTask.Condition]

  var module: String { scope.module }
}
