/// What registering an instance came to.
public struct ModuleReceipt: Sendable, Hashable {
  /// False if the center has an instance of the module, or is making one: then that one stays, and nothing has changed.
  public let isNew: Bool
  /// What became of each of its tasks. Where the center had them already, of those alone that an event which happens once, and
  /// has, found without an instance, and that run now.
  public let tasks: [InjectionReceipt]
}
