import SwiftSyntax

/// What `@DurableTask`, or a durable `@ScheduleTask`, adds to its type.
struct DurableDeclarations: RegistrationDeclarations {
  let annotation: DurableAnnotation
  let type: DurableType
  let target: TaskTarget

  /// What refers to TaskKitDurable whatever types the person declares.
  static var durableKit: String { selector(of: "TaskKitDurable") }

  static var registrationType: String { "\(durableKit)DurableRegistration" }

  var takenNames: Set<String> { type.takenNames }

  var members: [DeclSyntax] { [registration, wrapper].compactMap { $0 } }

  // A value's type may hold another one of its name; in a class, 'Self' cannot stand everywhere.
  private var typeName: String { target.kind == .class ? target.declaration.name.text : "Self" }

  private var registration: DeclSyntax? {
    guard let kind = annotation.kind, let run = type.run else { return nil }
    var arguments = [
      "__kind: \(Self.quoted(kind)), type: \(typeName).self, collected: _isCollected",
      "at: (\(target.place.arguments))",
    ]
    if !annotation.options.isEmpty {
      let options = annotation.options.map { "\($0.label): \($0.value)" }.joined(separator: ",\n      ")
      arguments.append("options: \(Self.durableKit)JobOptions(\n      \(options))")
    }
    if let schedule = annotation.schedule {
      arguments.append(
        "schedule: \(Self.durableKit)JobSchedule(\n      __schedule: \(schedule), job: { \(typeName)() })")
    }
    arguments.append("\(run.output == nil ? "run" : "output"): { try await \(typeName)._jobBody($0, $1) }")
    return registration(
      "\(Self.registrationType)(\n    \(arguments.joined(separator: ",\n    ")))",
      finder: "\(Self.durableKit)__NamesInsideJob")
  }

  /// Calls `run` where it runs; asynchronous and throwing whatever `run` is, so that the call of it is always the same.
  private var wrapper: DeclSyntax? {
    guard let run = type.run else { return nil }
    let modifiers = (run.isolation + ["static"]).joined(separator: " ")
    let context =
      switch run.input {
      case .none: (type: "\(Self.durableKit)DurableContext", argument: "")
      case .payload(let type), .context(let type): (type: type, argument: "context")
      }
    return Self.source(
      """
      \(modifiers) func _jobBody(_ job: \(typeName), _ context: \(context.type)) async throws\
      \(run.output.map { " -> \($0)" } ?? "") {
        return \(run.effects.marks)job.run(\(context.argument))
      }
      """)
  }
}
