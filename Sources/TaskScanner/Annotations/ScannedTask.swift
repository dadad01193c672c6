import TaskGraph

/// A task as its annotation declares it, before anything is resolved.
struct ScannedTask {
  /// An annotation that declares a task.
  enum Kind: String, CaseIterable {
    case event = "EventTask"
    case schedule = "ScheduleTask"
    case notification = "NotificationTask"
    case sequence = "SequenceTask"
  }

  /// A type that stands in `dependencies:`.
  struct TypeReference {
    var path: TypePath
    /// As the source has it, without `.self` and without layout.
    let text: String
    let place: SourcePlace
  }

  /// A value or a type by its bare name, in any other argument.
  struct BareName {
    let name: String
    let place: SourcePlace
  }

  /// The one parameter of `run`.
  struct RunParameter {
    /// The payload's type as it is written, in a context between the angles.
    let type: TypePath
    let isContext: Bool
    let place: SourcePlace
  }

  /// One of several events in an annotation.
  struct EventReference {
    /// By a name, or by a member that is looked up later.
    let occasion: Occasion
    /// What an initialiser that stands there is told beside the name.
    let options: EventOptions
    let text: String
    /// What a message says of it.
    let quotation: String
    let place: SourcePlace
  }

  /// The lane of an annotation.
  enum LaneReference {
    /// A member of its type, which is looked up later.
    case member(String)
    /// One that the annotation makes itself, and where.
    case named(String, SourcePlace)
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
  /// Where the annotation stands.
  let place: SourcePlace
  /// Where the type's own name stands.
  let namePlace: SourcePlace
  let file: Int
  /// What its file imports.
  let imports: [ScannedModule.ImportedModule]
  /// The types and extensions around it, innermost first.
  let surroundings: [NameScope.Surrounding]
  /// The types that it names as its own supertypes.
  let supertypes: [TypePath]
  let access: AccessLevel
  /// The type that the outermost extension around it extends; nil where there is none.
  let extended: TypePath?
  let occasions: [Occasion]
  let priority: Int
  let dependencies: [TypeReference]
  let after: [NameReference]
  /// The branches of `#if` around it, outermost first.
  let conditions: [Condition]
  /// The `@available` of the type and of those around it, outermost first.
  let attributes: [Availability.Attribute]
  /// Whether generated code can refer to it. Where it cannot, the macro says why.
  let isCollectable: Bool
  /// The path of the module whose method it is.
  var owner: [String]?
  /// Those that its annotation makes itself, as `LifecycleEvent<Order, Void>("placed")`.
  var events: [ScannedEvent] = []
  /// Its events where its annotation lists several, as far as these can be read.
  var eventReferences: [EventReference] = []
  /// What it does with a burst, where it hears a notification, whoever posts it: its annotation makes that event, too.
  var burst: String?
  /// Its lane, as far as that can be read.
  var lane: LaneReference?
  /// What else its annotation names.
  var bareNames: [BareName] = []
  /// Where its `after:` has a name of its own, which the macro refuses, with a repair. In `dependencies:` it cannot: the
  /// compiler refuses the circle before it asks.
  var ownNames: [SourcePlace] = []
  /// What its `run` takes; looked for only in the module that is generated for.
  var runParameter: RunParameter?
  /// What its `run` returns, where others see the task; looked for only in the module that is generated for.
  var runOutput: TypeReference?
  /// The types whose outputs its body is certain to read through its context; looked for only in the module that is
  /// generated for.
  var outputReads: [TypeReference] = []

  /// One branch of an `#if` around a declaration.
  struct Condition: Equatable {
    /// Tells this `#if` from all others of the module.
    let group: String
    let branch: Int
    /// The condition under which exactly this branch is compiled.
    let text: String
    /// What is sure where this branch is compiled: of the build where a question has one answer in that, else of the module.
    let facts: BranchFacts
    /// Whether no build has what stands there.
    let isNever: Bool

    init(module: String, file: Int, group: Int, branch: Int, text: String) {
      self.group = "\(module)/\(file)#\(group)"
      self.branch = branch
      self.text = text
      let known = ConditionFacts(text)
      isNever = known.isNever
      let answers = known.answers.map { question, answer in
        (ConditionFacts.isOfBuild(question) ? question : "\(module)?\(question)", answer)
      }
      facts = BranchFacts(
        answers: Dictionary(answers + [(self.group, branch)], uniquingKeysWith: { first, _ in first }),
        choices: known.choices)
    }
  }
}

extension ScannedTask {
  /// Its file, outside of all types around it.
  var fileScope: NameScope { NameScope(module: module, file: file, surroundings: [], imports: imports) }

  /// The names in its path as the source has them, with their backticks.
  var typeNames: [String] {
    let source = SourceText(path: "", typeName)
    return TypePath.read(SourceSpan(start: 0, end: source.count), of: source).names
  }

  /// True if no build contains both.
  func excludes(_ other: ScannedTask) -> Bool { conditions.exclude(other.conditions) }

  /// Whether it stands where only some builds look, and its file imports a module that only some builds have: a package
  /// may depend on it for some systems, and then it is not scanned for the others.
  func mayImport(besides modules: Set<String>) -> Bool {
    !conditions.isEmpty && imports.contains { !$0.conditions.isEmpty && !modules.contains($0.name) }
  }
}

extension [ScannedTask.Condition] {
  /// What is sure where all of them hold.
  var facts: BranchFacts {
    guard let first else { return BranchFacts() }
    return dropFirst().reduce(into: first.facts) { $0.add($1.facts) }
  }

  /// Whether these and others never hold together.
  func exclude(_ others: [ScannedTask.Condition]) -> Bool {
    if isEmpty || others.isEmpty { return false }
    return facts.exclude(others.facts)
  }
}
