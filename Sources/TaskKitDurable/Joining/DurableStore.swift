/// A store as a center gets it: with the name by which kinds choose it.
public struct DurableStore: Sendable {
  public let name: String
  let store: any JobStore

  /// - Parameters:
  ///   - name: what the kinds' `store:` and ``TaskKit/TaskCenter/jobs(in:)`` call it.
  ///   - store: one that no other center has.
  public init(_ name: String, _ store: any JobStore) {
    self.name = name
    self.store = store
  }

  /// Jobs in memory: they end with the process.
  public static func memory(_ name: String = "memory") -> DurableStore { DurableStore(name, MemoryStore()) }
}
