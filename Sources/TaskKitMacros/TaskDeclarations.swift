import SwiftSyntax
import SwiftSyntaxBuilder

/// What the macros add to a type, as source text.
///
/// Little is emitted, because each line is type-checked once per task and build: the arguments that the person wrote,
/// and nothing that has a default.
struct TaskDeclarations {
  let annotation: Annotation
  let type: TaskType
  let target: TaskTarget

  /// What refers to TaskKit whatever types and enums named `TaskKit` the person declares.
  static let module: String = {
    // Module selectors came with Swift 6.3, and the compiler that builds the macro is the one that reads its output.
    #if compiler(>=6.3)
    "TaskKit::"
    #else
    ""
    #endif
  }()

  var members: [DeclSyntax] {
    [registration, wrapper, output].compactMap { $0 }
  }

  /// What stands in while there are problems, so that the compiler reports those and nothing that follows from them.
  var stubs: [DeclSyntax] {
    let registration: DeclSyntax? =
      type.takenNames.contains("registration")
      ? nil : Self.source("\(registrationHeader) { \(Self.neverCalled) }")
    return [registration, type.takenNames.contains("Output") ? nil : output].compactMap { $0 }
  }

  /// A declaration that is only text: the compiler parses what it gets, so to parse it here as well would cost each
  /// build the same work twice, once in a plugin that may be unoptimised.
  static func source(_ text: String) -> DeclSyntax {
    DeclSyntax(MissingDeclSyntax(placeholder: .identifier(text)))
  }

  /// The conformance, for as long as the type is available.
  ///
  /// By the protocol's second name: Swift 6.3 ignores the module selector in the conformance of a macro when the module
  /// has a protocol of its own that is called `LifecycleTask`.
  static func conformance(
    of type: some TypeSyntaxProtocol, to name: String = "__LifecycleTask", in module: String = Self.module,
    availability: [String]
  ) -> [ExtensionDeclSyntax] {
    let conformance = TokenSyntax.identifier("nonisolated \(module)\(name)", trailingTrivia: .space)
    return [
      ExtensionDeclSyntax(
        leadingTrivia: .init(pieces: availability.flatMap { [.unexpectedText($0), .newlines(1)] }),
        extensionKeyword: .keyword(.extension, trailingTrivia: .space),
        extendedType: type.trimmed,
        inheritanceClause: InheritanceClauseSyntax(
          colon: .colonToken(trailingTrivia: .space),
          inheritedTypes: [InheritedTypeSyntax(type: IdentifierTypeSyntax(name: conformance))]),
        memberBlock: MemberBlockSyntax(members: []))
    ]
  }
}

// MARK: - The registration

extension TaskDeclarations {
  // A computed property with an explicit type: the files that only name it need not type-check what is inside, and in
  // language mode 5 its explicit `nonisolated` is what keeps the isolation in the type of `run` (a stored property's
  // initial value drops the one that comes from default main-actor isolation).
  private var registrationHeader: String {
    "\(target.access)nonisolated static var registration: \(Self.module)TaskRegistration"
  }

  static let neverCalled: String = {
    #if compiler(>=6.3)
    "Swift::fatalError()"
    #else
    "fatalError()"
    #endif
  }()

  private var registration: DeclSyntax? {
    guard let run = type.run else { return nil }
    let arguments = [
      "__name: \(Self.quoted(annotation.name ?? target.fullName)), type: self, collected: _isCollected",
      "at: \(Self.module)TaskLocation(\(target.place.arguments))",
      "occasions: \(Self.list(annotation.occasions.map { occasion($0, run) }))",
    ]
    let lines = (arguments + annotation.options.map(argument) + stop).joined(separator: ",\n    ")
    return Self.source(
      """
      \(registrationHeader) {
        \(Self.module)TaskRegistration(
          \(lines))
      }
      """)
  }

  private func occasion(_ event: String, _ run: RunMethod) -> String {
    "\(Self.module)TaskOccasion(\(event), \(run.label): \(needsWrapper ? "_taskBody" : "run"))"
  }

  private func argument(_ option: Annotation.Option) -> String {
    switch option {
    case .verbatim(let label, let value):
      return "\(label): \(value)"
    case .dependencies(let dependencies):
      let list = dependencies.map { dependency in
        "\(Self.module)TaskDependency(__type: \(dependency.type).self, \(Self.quoted(dependency.name)))"
      }
      return "dependencies: \(Self.list(list))"
    }
  }

  private var stop: [String] {
    guard let stop = type.stop else { return [] }
    return ["stop: \(Self.module)TaskStop(__stop: stop\(stop.takesOutput ? ", outputOf: Output.self" : ""))"]
  }

  /// An array literal, on one line while it has one element.
  static func list(_ elements: [String]) -> String {
    elements.count < 2 ? "[\(elements.joined())]" : "[\n      \(elements.joined(separator: ",\n      "))]"
  }

  static func quoted(_ text: String) -> String {
    StringLiteralExprSyntax(content: text).description
  }
}

extension RunMethod {
  /// The label of the `TaskOccasion` initialiser that takes a body of this shape.
  fileprivate var label: String {
    let shape = output == nil ? "__run" : "__output"
    return switch input {
    case .none: shape
    case .payload: shape + "WithPayload"
    case .context: shape + "WithContext"
    }
  }
}

// MARK: - The wrapper

extension TaskDeclarations {
  /// Whether `run` cannot be referred to as it is: it needs an instance, or a look at `isEnabled` first.
  private var needsWrapper: Bool {
    type.isSwitchable || type.run.map { !$0.isStatic } ?? false
  }

  private var wrapper: DeclSyntax? {
    guard let run = type.run, needsWrapper else { return nil }
    let call = run.isStatic ? nil : instanceCall(run)
    var effects = call?.effects ?? run.effects
    if type.isSwitchable { effects = effects.throwingAnything }

    let modifiers = (run.isolation + ["static"]).joined(separator: " ")
    let result = run.output.map { " -> \($0)" } ?? ""
    let check = type.isSwitchable ? ["guard isEnabled else { throw \(Self.module)TaskDisabled() }"] : []
    let lines = check + (call?.lines ?? ["return \(run.effects.marks)run(\(run.argument))"])
    return Self.source(
      """
      \(modifiers) func _taskBody(\(run.parameter))\(effects.signature)\(result) {
        \(lines.joined(separator: "\n  "))
      }
      """)
  }

  /// Makes an instance for this run alone, and calls `run` on it.
  private func instanceCall(_ run: RunMethod) -> (lines: [String], effects: Effects) {
    let isOnActor = target.kind == .actor && run.isIsolatedToInstance
    let runEffects = isOnActor ? run.effects.onAnotherActor : run.effects
    let effects = type.creation.joined(runEffects)
    let instance = "\(target.declaration.name.text)()"
    if run.isMutating {
      let lines = [
        "var task = \(type.creation.marks)\(instance)", "return \(runEffects.marks)task.run(\(run.argument))",
      ]
      return (lines, effects)
    }
    return (["return \(effects.marks)\(instance).run(\(run.argument))"], effects)
  }
}

extension RunMethod {
  fileprivate var parameter: String {
    switch input {
    case .none: ""
    case .payload(let type): "_ payload: \(type)"
    case .context(let type): "_ context: \(type)"
    }
  }

  fileprivate var argument: String {
    switch input {
    case .none: ""
    case .payload: "payload"
    case .context: "context"
    }
  }
}

// MARK: - The output

extension TaskDeclarations {
  private var output: DeclSyntax? {
    (type.run?.output).map { Self.source("\(target.access)typealias Output = \($0)") }
  }
}
