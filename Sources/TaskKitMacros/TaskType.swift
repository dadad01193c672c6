import SwiftDiagnostics
import SwiftSyntax

/// What an annotated type declares that its task needs, read once.
struct TaskType {
  /// Its work; nil when a problem says why there is none.
  private(set) var run: RunMethod?

  /// What undoes it; nil when there is nothing, or a problem says what is wrong with it.
  private(set) var stop: StopMethod?

  /// Whether `static var isEnabled` switches the task off.
  private(set) var isSwitchable = false

  /// What `init()` has to be marked with, where each run makes a new value.
  private(set) var creation = Effects(nil)

  /// The names that the macro's output declares and that the type declares as well.
  private(set) var takenNames: Set<String> = []

  /// Reads the type and reports everything that keeps it from being a task, as far as its own source tells.
  init(_ target: TaskTarget, problems: inout Problems) {
    let body = TypeBody(target.declaration)
    checkDeclaration(target, problems: &problems)
    takenNames = target.takenNames(["registration", "Output", "_taskBody"], in: body, problems: &problems)
    run = RunMethod(in: body, of: target, missing: .noRun(target), problems: &problems) { run in
      // A type that declares an 'Output' of its own has heard of it.
      let names = takenNames.contains("Output") ? [] : run.signature.bareNames.filter { $0.plainName == "Output" }
      return RunMethod.problems(of: run) + names.map { .outputIsHidden($0, in: target) }
    }
    readStop(body, target, problems: &problems)
    readSwitch(body, problems: &problems)
    readCreation(body, target, problems: &problems)
  }
}

// MARK: - The declaration

extension TaskType {
  private func checkDeclaration(_ target: TaskTarget, problems: inout Problems) {
    target.checkVisibility(problems: &problems)
    if let declaration = target.declaration.as(ClassDeclSyntax.self), !declaration.modifiers.has("final") {
      problems.add(.classIsNotFinal(declaration))
    }
    guard let clause = target.declaration.inheritanceClause else { return }
    for inherited in clause.inheritedTypes {
      guard let suppressed = inherited.type.as(SuppressedTypeSyntax.self)?.type.namePath?.last else { continue }
      if ["Copyable", "Escapable"].contains(suppressed) {
        problems.add(.notCopyable(target.declaration, inherited, in: clause))
      }
    }
  }
}

// MARK: - stop

extension TaskType {
  private mutating func readStop(_ body: TypeBody, _ target: TaskTarget, problems: inout Problems) {
    let candidates = body.functions.filter { $0.name.plainName == "stop" }
    let fitting = candidates.filter { StopMethod.problems(of: $0).isEmpty }
    for declaration in fitting.dropFirst() {
      problems.add(.severalStops(declaration, in: target, first: fitting[0]))
    }
    if let declaration = fitting.first {
      stop = StopMethod(declaration, problems: &problems)
      if let run, run.output == nil, stop?.takesOutput == true {
        problems.add(.stopTakesNoOutput(declaration, of: run.declaration))
      }
      return
    }
    // None fits: each says what is wrong with it.
    for declaration in candidates { _ = StopMethod(declaration, problems: &problems) }
    guard candidates.isEmpty else { return }
    for member in body.conditionalMembers {
      guard let declaration = member.as(FunctionDeclSyntax.self), declaration.name.plainName == "stop" else { continue }
      problems.add(.conditionalStop(declaration))
    }
  }
}

// MARK: - isEnabled

extension TaskType {
  private mutating func readSwitch(_ body: TypeBody, problems: inout Problems) {
    for member in body.members + body.conditionalMembers {
      // A method with parameters is another thing of the same name.
      let parameters = member.as(FunctionDeclSyntax.self)?.signature.parameterClause.parameters
      guard
        let name = member.declaredNames.first(where: { $0.plainName == "isEnabled" }), parameters?.isEmpty ?? true
      else { continue }
      isSwitchable = true
      guard let variable = member.as(VariableDeclSyntax.self), variable.isBool(name) else {
        problems.add(.isEnabledIsNotBool(name))
        continue
      }
      if !variable.modifiers.areStatic { problems.add(.isEnabledIsNotStatic(variable, name)) }
      if let specifiers = variable.accessorEffects { problems.add(.isEnabledHasEffects(specifiers)) }
    }
    for member in body.conditionalMembers {
      for name in member.declaredNames where name.plainName == "isEnabled" {
        problems.add(.conditionalIsEnabled(name))
      }
    }
  }
}

extension VariableDeclSyntax {
  /// Whether the name is declared as `Bool`, as far as one sees: an inferred type is left to the compiler.
  fileprivate func isBool(_ name: TokenSyntax) -> Bool {
    guard
      let binding = bindings.first(where: { $0.pattern.as(IdentifierPatternSyntax.self)?.identifier == name }),
      let type = binding.typeAnnotation?.type
    else { return true }
    return type.namePath.map { $0 == ["Bool"] || $0 == ["Swift", "Bool"] } ?? false
  }

  /// The `async` or `throws` of its getter.
  fileprivate var accessorEffects: AccessorEffectSpecifiersSyntax? {
    guard case .accessors(let accessors) = bindings.first?.accessorBlock?.accessors else { return nil }
    return accessors.lazy.compactMap(\.effectSpecifiers).first
  }
}

// MARK: - init()

extension TaskType {
  private mutating func readCreation(_ body: TypeBody, _ target: TaskTarget, problems: inout Problems) {
    guard let run, !run.isStatic else { return }
    if let modifier = target.distributedModifier {
      problems.add(.distributedActor(modifier, target.declaration))
      return
    }
    let all = body.initialisers.filter(\.takesNothing)
    // Of several the compiler prefers an async one where the call may be, and of those left the one without parameters.
    let isAsync = run.effects.isAsync || (target.kind == .actor && run.isIsolatedToInstance)
    let preferred = isAsync ? all.filter { Effects($0.signature.effectSpecifiers).isAsync } : []
    let fitting = preferred.isEmpty ? all : preferred
    if let initialiser = fitting.first(where: \.signature.parameterClause.parameters.isEmpty) ?? fitting.first {
      creation = Effects(initialiser.signature.effectSpecifiers)
    } else if !body.keepsImplicitInitialiser(of: target.kind), let conditional = body.conditionalCreation {
      creation = conditional
    } else if !body.hasImplicitInitialiser(of: target.kind) {
      problems.add(.noInitialiser(target, for: run.declaration))
    }
  }
}

extension TypeBody {
  /// Whether `Type()` works although no `init` is there that says so: a struct, class or actor has an implicit one, or
  /// inherits one from a superclass.
  func hasImplicitInitialiser(of kind: TaskTarget.Kind) -> Bool {
    let isObject = kind == .class || kind == .actor
    guard kind != .enum, isObject ? hasImplicitInitialiserOfObject : initialisers.isEmpty else { return false }
    return !variables.contains(where: \.needsValue)
  }

  /// The same of a class or an actor, whose properties have values: an `init` that only hands over to another one leaves
  /// the implicit one there.
  var hasImplicitInitialiserOfObject: Bool { initialisers.allSatisfy(\.handsOver) }

  /// Whether a class or an actor has that whatever of `#if` is compiled: each `init` hands over, and none is called like it.
  var keepsImplicitInitialiserOfObject: Bool {
    (initialisers + conditionalInitialisers).allSatisfy {
      $0.handsOver && !$0.signature.parameterClause.parameters.isEmpty
    }
  }

  fileprivate func keepsImplicitInitialiser(of kind: TaskTarget.Kind) -> Bool {
    (kind == .class || kind == .actor) && keepsImplicitInitialiserOfObject && hasImplicitInitialiser(of: kind)
  }

  /// What `Type()` has to be marked with where it calls what stands inside `#if`; nil where nothing there fits.
  ///
  /// Which of the branches is compiled nobody knows here: the call is marked as each of them needs it.
  var conditionalCreation: Effects? {
    let fitting = conditionalInitialisers.filter(\.takesNothing)
    let exact = fitting.filter(\.signature.parameterClause.parameters.isEmpty)
    let effects = (exact.isEmpty ? fitting : exact).map { Effects($0.signature.effectSpecifiers) }
    return effects.first.map { effects.dropFirst().reduce($0) { $0.joined($1) } }
  }
}

extension InitializerDeclSyntax {
  /// Whether it calls another one of its class or actor. One of a class is marked so, one of an actor is not.
  fileprivate var handsOver: Bool {
    if modifiers.has("convenience") { return true }
    let words = body?.tokens(viewMode: .sourceAccurate).map(\.text) ?? []
    return words.indices.dropLast(2).contains { words[$0...].starts(with: ["self", ".", "init"]) }
  }

  /// Whether `Type()` calls it and gives a `Type`.
  var takesNothing: Bool {
    optionalMark == nil && genericParameterClause == nil
      && signature.parameterClause.parameters.allSatisfy { $0.defaultValue != nil || $0.ellipsis != nil }
  }
}

extension VariableDeclSyntax {
  /// Whether a value of the type cannot be made without saying what this property is.
  fileprivate var needsValue: Bool {
    // A property wrapper or a macro may give the value; the compiler knows.
    guard attributes.isEmpty, !modifiers.areStatic, !modifiers.has("lazy") else { return false }
    let isVariable = bindingSpecifier.tokenKind == .keyword(.var)
    var type: TypeSyntax?
    // In `var a, b: Int?` the type is that of both.
    return bindings.reversed().contains { binding in
      type = binding.typeAnnotation?.type ?? type
      guard binding.initializer == nil else {
        type = nil
        return false
      }
      return !binding.isComputed && !(isVariable && type?.isOptional ?? false)
    }
  }
}

extension PatternBindingSyntax {
  /// Whether it has a body, and not only observers.
  fileprivate var isComputed: Bool {
    switch accessorBlock?.accessors {
    case nil: false
    case .getter?: true
    case .accessors(let accessors)?:
      !accessors.allSatisfy { ["willSet", "didSet"].contains($0.accessorSpecifier.text) }
    }
  }
}

extension TypeSyntax {
  fileprivate var isOptional: Bool { `is`(OptionalTypeSyntax.self) || `is`(ImplicitlyUnwrappedOptionalTypeSyntax.self) }
}
