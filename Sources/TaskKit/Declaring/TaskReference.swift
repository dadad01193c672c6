/// A name in `after:`: orders without requiring (law of order, rule 4).
///
/// Absent, failed, skipped or paused, the named task does not keep the other one from running. The build warns about a
/// name that no scanned module declares; ``optional(_:)`` says that it may well be absent.
public struct TaskReference: Sendable, Hashable, ExpressibleByStringLiteral, CustomStringConvertible {
  /// The task that comes first. As everywhere, the part behind the module is enough while only one task has it.
  public let name: TaskName
  /// Whether it is no mistake that nobody has that name: then nothing warns about it.
  public let mayBeAbsent: Bool

  public init(stringLiteral name: String) {
    self.init(TaskName(name))
  }

  public init(_ name: TaskName, mayBeAbsent: Bool = false) {
    self.name = name
    self.mayBeAbsent = mayBeAbsent
  }

  /// A name that may be absent without a warning, because it is injected later or belongs to a module left out.
  public static func optional(_ name: TaskName) -> TaskReference {
    TaskReference(name, mayBeAbsent: true)
  }

  public var description: String { name.rawValue }
}
