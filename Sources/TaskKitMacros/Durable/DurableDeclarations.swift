import SwiftSyntax

/// What `@DurableTask`, or a durable `@ScheduleTask`, adds to a type, as source text.
struct DurableDeclarations {
  let annotation: DurableAnnotation
  let type: DurableType
  let target: TaskTarget

  /// What refers to TaskKitDurable whatever types the person declares. See `TaskDeclarations.module`.
  static let module = TaskDeclarations.module.isEmpty ? "" : "TaskKitDurable::"

  private var typeName: String { target.declaration.name.text }

  var members: [DeclSyntax] { [registration, wrapper].compactMap { $0 } }

  /// What stands in while there are problems, so that the compiler reports those and nothing that follows from them.
  var stubs: [DeclSyntax] {
    guard !type.takenNames.contains("registration") else { return [] }
    return [TaskDeclarations.source("\(registrationHeader) { \(TaskDeclarations.neverCalled) }")]
  }

  private var registrationHeader: String {
    "\(target.access)nonisolated static var registration: \(Self.module)DurableRegistration"
  }

  private var registration: DeclSyntax? {
    guard let kind = annotation.kind, let run = type.run else { return nil }
    var arguments = [
      "__kind: \(TaskDeclarations.quoted(kind)), type: \(typeName).self, collected: _isCollected",
      "at: (\(target.place.arguments))",
    ]
    if !annotation.options.isEmpty {
      let options = annotation.options.map { "\($0.label): \($0.value)" }.joined(separator: ",\n      ")
      arguments.append("options: \(Self.module)JobOptions(\n      \(options))")
    }
    if let schedule = annotation.schedule {
      arguments.append("schedule: \(Self.module)JobSchedule(\n      __schedule: \(schedule), job: { \(typeName)() })")
    }
    arguments.append("\(run.output == nil ? "run" : "output"): { try await \(typeName)._jobBody($0, $1) }")
    return TaskDeclarations.source(
      """
      \(registrationHeader) {
        \(Self.module)DurableRegistration(
          \(arguments.joined(separator: ",\n    ")))
      }
      """)
  }

  /// Calls `run` where it runs; asynchronous and throwing whatever `run` is, so that the call of it is always the same.
  private var wrapper: DeclSyntax? {
    guard let run = type.run else { return nil }
    let modifiers = (run.isolation + ["static"]).joined(separator: " ")
    let context =
      switch run.input {
      case .none: (type: "\(Self.module)DurableContext", argument: "")
      case .payload(let type), .context(let type): (type: type, argument: "context")
      }
    return TaskDeclarations.source(
      """
      \(modifiers) func _jobBody(_ job: \(typeName), _ context: \(context.type)) async throws\
      \(run.output.map { " -> \($0)" } ?? "") {
        return \(run.effects.marks)job.run(\(context.argument))
      }
      """)
  }
}
