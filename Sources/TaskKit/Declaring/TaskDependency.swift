/// A task that must have ended well before another may start (law of order, rule 1).
///
/// An annotation lists types, which the compiler checks. An injected task may use names as well, which
/// ``TaskCenter/inject(_:replacing:ifPassed:)-(TaskDefinition,_,_)`` checks:
///
/// ```swift
/// try center.inject(
///   .event(.didBecomeActive, name: "badge", dependencies: ["OpenDatabase", .task(LoadConfiguration.self)]) { _ in … })
/// ```
public struct TaskDependency: Sendable, Hashable, ExpressibleByStringLiteral, CustomStringConvertible {
  /// The identity of the type, if a type was named. The type itself is not kept: under default main-actor
  /// isolation a stored metatype would not be `Sendable`.
  let type: ObjectIdentifier?

  /// What the declaration says, for messages and, without a type, for the look-up.
  let text: String

  /// A dependency on the task that is declared by a type.
  public static func task<Dependency: LifecycleTask>(_ type: Dependency.Type) -> TaskDependency {
    TaskDependency(type: ObjectIdentifier(type), text: Dependency.registration.name.rawValue)
  }

  /// A dependency on the task of that name.
  public init(stringLiteral name: String) {
    self.init(type: nil, text: name)
  }

  /// A dependency on the task of that name.
  public init(_ name: TaskName) {
    self.init(type: nil, text: name.rawValue)
  }

  /// For the macros' output only: a dependency on a type, with its name as the source spells it.
  public init<Dependency: LifecycleTask>(__type type: Dependency.Type, _ text: String) {
    self.init(type: ObjectIdentifier(type), text: text)
  }

  init(type: ObjectIdentifier?, text: String) {
    self.type = type
    self.text = text
  }

  public var description: String { text }
}
