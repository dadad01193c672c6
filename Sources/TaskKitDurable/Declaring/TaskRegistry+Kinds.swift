public import TaskKit

extension ModuleTasks {
  /// Adds a kind of durable work. For generated code only.
  public mutating func add(_ registration: DurableRegistration) { add(item: registration) }
}

extension TaskRegistry {
  /// The kinds of durable work, modules after those that they depend on.
  public var kinds: [DurableRegistration] { items.compactMap { $0 as? DurableRegistration } }

  /// The registry with further kinds: for tests, and small tools without a plugin.
  public func adding(_ kinds: any DurableTask.Type...) -> TaskRegistry {
    adding(items: kinds.map { $0.registration })
  }
}
