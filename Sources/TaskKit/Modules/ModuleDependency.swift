/// A module that another one depends on. Made by the macros.
public struct ModuleDependency: Sendable, CustomStringConvertible {
  let type: ObjectIdentifier
  /// What the declaration says, for messages.
  let text: String
  /// Asked only when it is needed: modules that depend on each other in a circle must not hang before the proof has
  /// refused them.
  let registration: @Sendable () -> ModuleRegistration

  /// For the macros' output only: a dependency on a type, with its name as the source spells it.
  public init<Module: LifecycleModule & Sendable>(__type type: Module.Type, _ text: String) {
    self.type = ObjectIdentifier(type)
    self.text = text
    registration = { Module.registration }
  }

  public var description: String { text }
}

/// The instances that the initialiser of a module is given. For the macros' output only.
public struct ModuleDependencies: Sendable {
  let module: String
  let instances: [ObjectIdentifier: ModuleInstance]

  /// A module that has to be there.
  public func __module<Module: LifecycleModule>(_ type: Module.Type) throws -> Module {
    guard let instance = __optionalModule(type) else {
      throw TaskError.missingModule("\(type)", neededBy: module)
    }
    return instance
  }

  /// A module that may have been left out.
  public func __optionalModule<Module: LifecycleModule>(_ type: Module.Type) -> Module? {
    instances[ObjectIdentifier(type)] as? Module
  }
}

/// The instance of a module, whatever its type.
typealias ModuleInstance = any AnyObject & Sendable
