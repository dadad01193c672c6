public import Foundation

/// A store as a center gets it: with the name by which kinds choose it.
public struct DurableStore: Sendable {
  /// What the kinds' `store:` and ``TaskKit/TaskCenter/jobs(in:)`` call it.
  public let name: String
  let store: any JobStore

  /// - Parameters:
  ///   - name: what the kinds' `store:` and ``TaskKit/TaskCenter/jobs(in:)`` call it.
  ///   - store: one that nobody else has: an object that was given to two centers is that of the one which opens it first, and the
  ///     other cannot open it.
  public init(_ name: String, _ store: any JobStore) {
    self.name = name
    self.store = store
  }

  /// Jobs in memory: they end with the process.
  public static func memory(_ name: String = "memory") -> DurableStore { DurableStore(name, MemoryStore()) }

  #if Durable && !os(Windows)
  /// Jobs in an SQLite file of that name, where the system keeps what programs must not lose; see
  /// ``SQLiteStore/named(_:)``.
  ///
  /// - Throws: ``JobStoreError`` where the folder is not there and cannot be made.
  public static func sqlite(_ name: String = "jobs") throws -> DurableStore {
    DurableStore(name, try SQLiteStore.named(name))
  }

  /// Jobs in an SQLite file, made when it is first needed. Its folder has to be there, and none of the caches: a center refuses
  /// what may be cleared.
  public static func sqlite(at file: URL, name: String = "jobs") -> DurableStore {
    DurableStore(name, SQLiteStore(at: file))
  }
  #elseif !Durable
  @available(
    *, unavailable,
    message: "Add the trait 'Durable' where your package depends on TaskKit: .package(…, traits: [\"Durable\"])"
  )
  public static func sqlite(_ name: String = "jobs") throws -> DurableStore { memory(name) }

  @available(
    *, unavailable,
    message: "Add the trait 'Durable' where your package depends on TaskKit: .package(…, traits: [\"Durable\"])"
  )
  public static func sqlite(at file: URL, name: String = "jobs") -> DurableStore { memory(name) }
  #endif
}
