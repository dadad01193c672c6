import TaskGraph

/// An event that a scanned module declares, by a static member or in an annotation.
struct ScannedEvent {
  /// The static member, as it is written behind the dot; nil for one that an annotation makes itself.
  let member: String?
  /// Nil where the member stands for another one, or its name cannot be read.
  let name: String?
  /// The other member that it stands for.
  let alias: String?
  /// The payload and the reply, as the source writes them, without white space; empty where it does not say.
  let payload: String
  let reply: String
  let options: EventOptions
  let place: SourcePlace
  /// Where it stands.
  let scope: NameScope
  /// In which the names of the types are looked up: an alias may say these elsewhere.
  let typeScope: NameScope
  let conditions: [ScannedTask.Condition]
  /// The type whose extension has the member.
  var extended: TypePath?
  /// Who sees the member.
  var access = AccessLevel.public

  var module: String { scope.module }

  /// Whether both mean the same types in the same words, and happen as often.
  func saysTheSame(as other: ScannedEvent) -> Bool {
    payload == other.payload && reply == other.reply && options.isOnce == other.options.isOnce
  }
}
