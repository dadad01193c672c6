import TaskGraph

/// A task as its annotation declares it, before anything is resolved.
struct ScannedTask {
  /// An annotation that declares a task.
  enum Kind: String, CaseIterable {
    case event = "EventTask"
    case schedule = "ScheduleTask"
    case notification = "NotificationTask"
  }

  /// A type that stands in `dependencies:`.
  struct TypeReference {
    /// `Feed.Load`, without `.self` and without the module in front.
    let path: [String]
    /// Of `Core::Load.self`.
    let module: String?
    /// As the source has it.
    let text: String
    let place: SourcePlace
  }

  struct NameReference {
    let name: String
    let mayBeAbsent: Bool
    let place: SourcePlace
  }

  let kind: Kind
  let module: String
  /// The types around it and its own, outermost first.
  let path: [String]
  /// As generated code refers to it.
  let typeName: String
  /// What `name:` says, else the module and the path.
  let name: String
  let place: SourcePlace
  let file: Int
  let occasions: [Occasion]
  let priority: Int
  let dependencies: [TypeReference]
  let after: [NameReference]
  /// The branches of `#if` around it, outermost first.
  let conditions: [Condition]
  /// What the `@available` of the type and of those around it say, outermost first.
  let availability: [String]
  /// Whether generated code can refer to it. Where it cannot, the macro says why.
  let isCollectable: Bool

  /// One branch of an `#if` around a declaration.
  struct Condition: Hashable {
    /// Tells this `#if` from all others of the module.
    let group: String
    let branch: Int
    /// The condition under which exactly this branch is compiled.
    let text: String
  }
}

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
  let module: String
  let conditions: [ScannedTask.Condition]
}
