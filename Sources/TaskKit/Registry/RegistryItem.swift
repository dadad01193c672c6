/// Something that a registry carries for a library beside TaskKit: the kinds of durable work, for one.
///
/// TaskKit does not look into it. It goes where its module's tasks go, and is left out with its module.
package protocol RegistryItem: Sendable {
  /// Why it does nothing in a center, whether that was started or not, though its declaration promises that; nil where it
  /// does, or has nothing to do by itself.
  func idleness(in center: TaskCenter) -> String?
}

extension ModuleTasks {
  package mutating func add(item: some RegistryItem) { items.append(item) }
}

extension TaskRegistry {
  /// What other libraries have put into the registry, modules after those that they depend on.
  package var items: [any RegistryItem] { modules.flatMap(\.items) }

  /// The registry with further items, as those of a module without a name.
  package func adding(items: [any RegistryItem]) -> TaskRegistry {
    var module = ModuleTasks(module: "", count: 0)
    module.items = items
    return changing { $0.append(module) }
  }
}
