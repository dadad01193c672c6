public import TaskKitDurable

/// Proves a store against the rules of ``TaskKitDurable/JobStore``.
public struct JobStoreConformance: Sendable {
  let makeStore: @Sendable () async throws -> any JobStore

  /// - Parameter makeStore: makes an empty store each time.
  public init(makeStore: @escaping @Sendable () async throws -> any JobStore) { self.makeStore = makeStore }
}
