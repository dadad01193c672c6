@testable import TaskKit

extension ModuleTasks {
  /// A module as generated code would make it, from definitions; what they depend on is looked up by name.
  static func of(_ module: String, imports: [String] = [], _ definitions: [TaskDefinition]) -> ModuleTasks {
    var tasks = ModuleTasks(module: module, imports: imports, count: definitions.count)
    for (slot, definition) in definitions.enumerated() { tasks.add(definition.registration, at: slot) }
    return tasks
  }
}
