/// How much later than its slot a run starts, so that many machines do not all ask one server at once.
public struct Jitter: Sendable, Hashable {
  enum Kind: Sendable, Hashable { case none, random, spread }

  let kind: Kind
  let most: Int64

  /// No jitter.
  public static let none = Jitter(kind: .none, most: 0)

  /// Drawn anew for each run, from the center's ``TaskCenter/Configuration/chance``.
  public static func random(upTo most: Duration) -> Jitter { Jitter(kind: .random, most: most.nanoseconds) }

  /// The same for all runs of a task on one machine, different from task to task and from machine to machine.
  public static func spread(upTo most: Duration) -> Jitter { Jitter(kind: .spread, most: most.nanoseconds) }
}
