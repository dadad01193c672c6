import SwiftSyntax

/// What an annotation of a task adds to its type.
struct TaskDeclarations: RegistrationDeclarations {
  let annotation: Annotation
  let type: TaskType
  let target: TaskTarget

  static var registrationType: String { "\(kit)TaskRegistration" }

  var takenNames: Set<String> { type.takenNames }

  var members: [DeclSyntax] {
    [registration, wrapper, output].compactMap { $0 }
  }

  var stubs: [DeclSyntax] {
    [registrationStub, takenNames.contains("Output") ? nil : output].compactMap { $0 }
  }
}

// MARK: - The registration

extension TaskDeclarations {
  private var registration: DeclSyntax? {
    guard let run = type.run else { return nil }
    let arguments = [
      "__name: \(Self.quoted(annotation.name ?? target.fullName)), type: self, collected: _isCollected",
      "at: \(Self.kit)TaskLocation(\(target.place.arguments))",
      "occasions: \(Self.list(annotation.occasions.map { occasion($0, run) }))",
    ]
    let lines = (arguments + annotation.options.map { Self.argument($0, list: Self.list) } + stop).joined(
      separator: ",\n    ")
    return registration("\(Self.registrationType)(\n    \(lines))")
  }

  private func occasion(_ event: String, _ run: RunMethod) -> String {
    "\(Self.kit)TaskOccasion(\(event), \(run.label): \(needsWrapper ? "_taskBody" : run.reference))"
  }

  private var stop: [String] {
    guard let stop = type.stop else { return [] }
    return ["stop: \(Self.kit)TaskStop(__stop: \(stop.takesOutput ? "stop(_:), outputOf: Output.self" : "stop"))"]
  }
}

extension RunMethod {
  /// Its name, with what tells it from a method whose parameter has a label: that is no part of a function's type.
  fileprivate var reference: String {
    switch input {
    case .none: "run"
    case .payload, .context: "run(_:)"
    }
  }

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
    let check = type.isSwitchable ? ["guard isEnabled else { throw \(Self.kit)TaskDisabled() }"] : []
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
    // A type may hold another one of its name.
    if run.isMutating {
      let lines = ["var task = \(type.creation.marks)Self()", "return \(runEffects.marks)task.run(\(run.argument))"]
      return (lines, effects)
    }
    return (["return \(effects.marks)Self().run(\(run.argument))"], effects)
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
    (type.run?.output).map { output in
      // In a class or an actor a method may return 'Self', alone or with '?', and no alias can be of it.
      let isItself = ["Self", "Self?"].contains(output) && (target.kind == .class || target.kind == .actor)
      let type = isItself ? output.replacing("Self", with: target.declaration.name.text) : output
      return Self.source("\(target.access)typealias Output = \(type)")
    }
  }
}
