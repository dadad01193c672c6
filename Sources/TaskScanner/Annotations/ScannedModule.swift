import TaskGraph

/// A module as its sources declare it.
struct ScannedModule {
  let name: String
  /// The modules that it depends on, directly or through others.
  let dependencies: Set<String>
  /// The methods of `taskModules` among them.
  var tasks: [ScannedTask] = []
  /// The annotated classes and actors: like a task without an occasion.
  var taskModules: [ScannedTask] = []
  /// The kinds of durable work.
  var kinds: [ScannedKind] = []
  var events: [ScannedEvent] = []
  /// Whether it declares an alias of the type of events.
  var hasAliasOfEventType = false
  /// What is wrong with single annotations; looked for only in the module that is generated for.
  var problems: [Problem] = []
  /// What the macros say of it, if the build comes to them.
  var problemsOfMacros: [Problem] = []
  /// Annotations on what is no type: what they mean, other modules may change.
  var misplaced: [Misplaced] = []
  /// By file: the modules that it imports.
  var imports: [Int: [ImportedModule]] = [:]
  let files: [SourceText]

  var declaresNothing: Bool { tasks.isEmpty && taskModules.isEmpty && kinds.isEmpty }

  /// Whether it is TaskKit's own, which declares the annotations and no events or tasks of somebody's. A build has one
  /// module of a name.
  var isTaskKits: Bool { Self.libraries.contains(name) }

  /// Those of TaskKit's libraries that have it in sight.
  static let libraries: Set<String> = [
    "TaskKit", "TaskKitTesting", "TaskKitDurable", "TaskKitDurableTesting", "TaskKitPostgres",
  ]

  /// An annotation on what is no type.
  struct Misplaced {
    let annotation: String
    /// The library whose annotation it is, if it is one of TaskKit's.
    let library: String
    /// The modules that its file imports as a whole, and in every build.
    let imports: [String]
    let problem: Problem
    /// Of a method in an extension: which type is extended, and what to say if that is a module.
    let inExtension: (of: [String], problem: Problem)?
  }

  struct ImportedModule {
    let name: String
    /// The one declaration of `import enum A.B`.
    let member: String?
    /// `public`, `internal`, … or empty.
    let access: String
    /// As written: `@testable`, `@_spi(Tests)`.
    let attributes: [String]
    let conditions: [ScannedTask.Condition]

    var isTestable: Bool { attributes.contains("@testable") }
  }
}
