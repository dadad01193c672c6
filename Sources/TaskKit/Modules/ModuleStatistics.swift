/// How the methods of a module did over the life of a center.
public struct ModuleStatistics: Sendable, Hashable {
  /// One method, which is a task.
  public struct Method: Sendable, Hashable {
    /// That of its task.
    public let name: TaskName
    /// How often it ran, and for how long.
    public let statistics: TaskStatistics
  }

  /// In the order of declaration.
  public let methods: [Method]

  /// How often they ran.
  public var count: Int { methods.reduce(0) { $0 + $1.statistics.count } }

  /// How long all their runs took together.
  public var total: Duration { methods.reduce(.zero) { $0 + $1.statistics.total } }
}
