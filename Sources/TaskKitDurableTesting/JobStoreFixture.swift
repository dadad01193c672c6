public import TaskKitDurable

/// How the conformance suite comes by stores of one kind: all those of a fixture share the same jobs.
public protocol JobStoreFixture: Sendable {
  /// Another store of the same jobs, as another process would have it. It is not open yet.
  func makeStore() async throws -> any JobStore

  /// Lets a store end as the death of its process would end it: it gives nothing back and writes nothing more.
  ///
  /// When this returns, whoever opens a store next finds that its owner is dead: no time passes in between. A store by whose rules
  /// an owner is dead when a lease has run out lets that run out here.
  func kill(_ store: any JobStore) async throws
}

/// The stores in memory.
public struct MemoryStoreFixture: JobStoreFixture {
  private let first = MemoryStore()

  /// Begins without jobs.
  public init() {}

  public func makeStore() -> any JobStore { MemoryStore(sharing: first) }

  public func kill(_ store: any JobStore) { (store as? MemoryStore)?.die() }
}
