/// How far an occurrence has come.
public struct EventProgress: Sendable, Hashable {
  /// Tasks that have ended, skipped ones included.
  public let ended: Int
  /// All tasks of the occurrence, whether they run or not.
  public let total: Int

  /// From 0 to 1; 1 where there is nothing to do.
  public var fraction: Double { total == 0 ? 1 : Double(ended) / Double(total) }
}
