import SwiftSyntax

/// What `@TaskModule` adds to its type.
struct ModuleDeclarations: RegistrationDeclarations {
  let annotation: ModuleAnnotation
  let type: ModuleType
  let target: TaskTarget

  static var registrationType: String { "\(kit)ModuleRegistration" }

  var takenNames: Set<String> { type.takenNames }

  var members: [DeclSyntax] {
    [registration, maker].compactMap { $0 } + type.methods.map(wrapper)
  }

  private var typeName: String { target.declaration.name.text }

  // MARK: - The registration

  private var registration: DeclSyntax {
    var arguments = [
      "__name: \(Self.quoted(annotation.name ?? target.fullName)), type: \(typeName).self, "
        + "collected: _isCollected",
      "at: \(Self.kit)TaskLocation(\(target.place.arguments))",
    ]
    if annotation.creation != .whenNeeded { arguments.append("creation: .\(annotation.creation.rawValue)") }
    if !annotation.dependencies.isEmpty {
      arguments.append("dependencies: \(Self.list(annotation.dependencies.map(dependency)))")
    }
    if annotation.creation != .byRegistering { arguments.append("make: _makeModule") }
    arguments.append("methods: \(Self.list(type.methods.map(method)))")
    return registration("\(Self.registrationType)(\n    \(arguments.joined(separator: ",\n    ")))")
  }

  private func dependency(_ dependency: Dependency) -> String {
    "\(Self.kit)ModuleDependency(__type: \(dependency.type).self, \(Self.quoted(dependency.name)))"
  }

  private func method(_ method: ModuleType.Method) -> String {
    let name = Self.quoted(method.run.declaration.name.plainName)
    var arguments = ["__method: \(name)"]
    if let name = method.annotation.name { arguments.append("name: \(Self.quoted(name))") }
    arguments.append("at: \(Self.kit)TaskLocation(\(method.place.arguments))")
    let label = method.run.output == nil ? "__runWithContext" : "__outputWithContext"
    let occasions = method.annotation.occasions.map {
      "\(Self.kit)TaskOccasion(\($0), \(label): _moduleTask(\(method.label):))"
    }
    arguments.append("occasions: \(Self.line(occasions))")
    arguments += method.annotation.options.map { Self.argument($0, list: Self.line) }
    return "\(Self.kit)ModuleMethod(\(arguments.joined(separator: ", ")))"
  }

  // MARK: - Wrappers

  /// Makes the instance, where the initialiser runs.
  private var maker: DeclSyntax? {
    guard annotation.creation != .byRegistering else { return nil }
    let creation = type.creation
    let arguments = (creation?.arguments ?? []).map { argument in
      (argument.label.map { "\($0): " } ?? "")
        + "modules.\(argument.isOptional ? "__optionalModule" : "__module")(\(argument.type).self)"
    }
    var effects = creation?.effects ?? Effects(nil)
    if creation?.arguments.contains(where: { !$0.isOptional }) ?? false { effects = effects.throwingAnything }
    let modifiers = ((creation?.isolation ?? []) + ["static"]).joined(separator: " ")
    return Self.source(
      """
      \(modifiers) func _makeModule(_ modules: \(Self.kit)ModuleDependencies)\(effects.signature) -> \(typeName) {
        return \(effects.marks)\(typeName)(\(arguments.joined(separator: ", ")))
      }
      """)
  }

  /// Calls a method on the instance, where the method runs.
  ///
  /// All are called the same, and told apart by their labels: a macro has to name what it declares beforehand.
  private func wrapper(_ method: ModuleType.Method) -> DeclSyntax {
    let run = method.run
    let isOnActor = target.kind == .actor && run.isIsolatedToInstance
    let effects = (isOnActor ? run.effects.onAnotherActor : run.effects).throwingAnything
    let modifiers = (run.isolation + ["static"]).joined(separator: " ")
    let result = run.output.map { " -> \($0)" } ?? ""
    let (generics, context, argument) =
      switch run.input {
      case .none: ("<_Payload>", "\(Self.kit)TaskContext<_Payload>", "")
      case .payload(let type): ("", "\(Self.kit)TaskContext<\(type)>", "context.payload")
      case .context(let type): ("", type, "context")
      }
    return Self.source(
      """
      \(modifiers) func _moduleTask\(generics)(\(method.parameter): \(context))\(effects.signature)\(result) {
        return \(effects.marks)context.__module(\(typeName).self).\(run.declaration.name.text)(\(argument))
      }
      """)
  }
}
