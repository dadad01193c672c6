import TaskGraph

extension TaskError {
  /// A task of a registry that nobody proved needs what is not there: a registry of Xcode's has the tasks of one module only.
  static func missingDependencies(_ missing: [TaskDependency], of task: TaskRegistration) -> TaskError {
    let names = missing.map { "'\($0.text)'" }.joined(separator: ", ")
    let functions = Set(missing.compactMap(\.module)).sorted().map { "'_taskKit_\($0)()'" }.joined(separator: ", ")
    let repair =
      functions.isEmpty
      ? "register \(missing.count == 1 ? "it" : "them")"
      : "make that with 'TaskRegistry(modules:)', and \(functions) among them"
    return TaskError(
      .unknownTask, missing.first.map { TaskName($0.text) },
      "'\(task.name)' needs \(names), which \(missing.count == 1 ? "is" : "are") not in the registry; \(repair)")
  }
}

extension TaskRegistry {
  /// With the module to add, where a registry is put together from those of the build and lacks one.
  func completed(
    _ problem: Problem, in tasks: [(registration: TaskRegistration, module: String)]
  ) -> Problem {
    let present = Set(modules.map(\.module))
    guard problem.code == "taskGraph.unknownDependency", let task = problem.tasks.first,
      present.contains(tasks[task].module)
    else { return problem }
    var problem = problem
    for dependency in tasks[task].registration.dependencies where problem.message.contains("'\(dependency.text)'") {
      guard let module = dependency.module, !present.contains(module) else { continue }
      problem.notes.append(
        .init("'\(dependency.text)' is declared in module '\(module)'; add '_taskKit_\(module)()'", place: nil))
    }
    return problem
  }
}

extension TaskDependency {
  /// The module that declares the type; nil for a name.
  fileprivate var module: String? {
    guard let type else { return nil }
    // Sound because the identity was made of a type, and is the type. It is asked only for what is to be told.
    let name = String(reflecting: unsafeBitCast(type, to: Any.Type.self))
    // `Feed.Load`, or `(extension in Feed):App.Screen.Load`
    let end = name.hasPrefix("(extension in ") ? name.firstIndex(of: ")") : name.firstIndex(of: ".")
    return end.flatMap { name[..<$0].split(separator: " ").last }.map(String.init)
  }
}
