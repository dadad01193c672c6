import Synchronization

/// The kinds of a center, shared by its stores.
final class KindBox: Sendable {
  private let table: Mutex<KindTable>

  init(_ table: KindTable) { self.table = Mutex(table) }

  subscript(kind: String) -> KnownKind? { table.withLock { $0[kind] } }

  func kind(of type: any DurableTask.Type) -> KnownKind {
    table.withLock { $0.known(type) } ?? KnownKind(type.registration)
  }

  func add(_ registration: DurableRegistration) throws -> Bool { try table.withLock { try $0.add(registration) } }

  /// What is wrong with further kinds, which are not added.
  func problems(of registrations: [DurableRegistration], stores: [String]) -> [DurableError] {
    var table = table.withLock { $0 }
    return table.add(registrations, stores: stores)
  }

  func remove(_ kind: String) -> Bool { table.withLock { $0.remove(kind) } }

  var all: [DurableRegistration] { table.withLock { $0.all } }

  /// The shortest time for which a kind keeps ended jobs.
  var shortestRetention: Duration? { table.withLock { $0.shortestRetention } }
}
