import SwiftSyntax

/// What `@TaskModule` adds to a type, as source text.
struct ModuleDeclarations {
  let annotation: ModuleAnnotation
  let type: ModuleType
  let target: TaskTarget

  private static var module: String { TaskDeclarations.module }
  private var typeName: String { target.declaration.name.text }

  var members: [DeclSyntax] {
    [registration, maker].compactMap { $0 } + type.methods.map(wrapper)
  }

  /// What stands in while there are problems, so that the compiler reports those and nothing that follows from them.
  var stubs: [DeclSyntax] {
    guard !type.takenNames.contains("registration") else { return [] }
    return [TaskDeclarations.source("\(registrationHeader) { \(TaskDeclarations.neverCalled) }")]
  }

  // MARK: - The registration

  private var registrationHeader: String {
    "\(target.access)nonisolated static var registration: \(Self.module)ModuleRegistration"
  }

  private var registration: DeclSyntax {
    var arguments = [
      "__name: \(TaskDeclarations.quoted(annotation.name ?? target.fullName)), type: \(typeName).self, "
        + "collected: _isCollected",
      "at: \(Self.module)TaskLocation(\(target.place.arguments))",
    ]
    if annotation.creation != .whenNeeded { arguments.append("creation: .\(annotation.creation.rawValue)") }
    if !annotation.dependencies.isEmpty {
      arguments.append("dependencies: \(TaskDeclarations.list(annotation.dependencies.map(dependency)))")
    }
    if annotation.creation != .byRegistering { arguments.append("make: _makeModule") }
    arguments.append("methods: \(TaskDeclarations.list(type.methods.map(method)))")
    return TaskDeclarations.source(
      """
      \(registrationHeader) {
        \(Self.module)ModuleRegistration(
          \(arguments.joined(separator: ",\n    ")))
      }
      """)
  }

  private func dependency(_ dependency: Dependency) -> String {
    "\(Self.module)ModuleDependency(__type: \(dependency.type).self, \(TaskDeclarations.quoted(dependency.name)))"
  }

  private func method(_ method: ModuleType.Method) -> String {
    let name = TaskDeclarations.quoted(method.run.declaration.name.plainName)
    var arguments = ["__method: \(name)"]
    if let name = method.annotation.name { arguments.append("name: \(TaskDeclarations.quoted(name))") }
    arguments.append("at: \(Self.module)TaskLocation(\(method.place.arguments))")
    let label = method.run.output == nil ? "__runWithContext" : "__outputWithContext"
    let occasions = method.annotation.occasions.map {
      "\(Self.module)TaskOccasion(\($0), \(label): _moduleTask(\(method.label):))"
    }
    arguments.append("occasions: [\(occasions.joined(separator: ", "))]")
    arguments += method.annotation.options.map(argument)
    return "\(Self.module)ModuleMethod(\(arguments.joined(separator: ", ")))"
  }

  private func argument(_ option: Annotation.Option) -> String {
    switch option {
    case .verbatim(let label, let value): return "\(label): \(value)"
    case .dependencies(let dependencies):
      let list = dependencies.map { dependency in
        "\(Self.module)TaskDependency(__type: \(dependency.type).self, \(TaskDeclarations.quoted(dependency.name)))"
      }
      return "dependencies: [\(list.joined(separator: ", "))]"
    }
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
    return TaskDeclarations.source(
      """
      \(modifiers) func _makeModule(_ modules: \(Self.module)ModuleDependencies)\(effects.signature) -> \(typeName) {
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
      case .none: ("<_Payload>", "\(Self.module)TaskContext<_Payload>", "")
      case .payload(let type): ("", "\(Self.module)TaskContext<\(type)>", "context.payload")
      case .context(let type): ("", type, "context")
      }
    return TaskDeclarations.source(
      """
      \(modifiers) func _moduleTask\(generics)(\(method.label) context: \(context))\(effects.signature)\(result) {
        return \(effects.marks)context.__module(\(typeName).self).\(run.declaration.name.text)(\(argument))
      }
      """)
  }
}
