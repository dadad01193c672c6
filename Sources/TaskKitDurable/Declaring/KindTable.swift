/// A kind that a center knows. What a registration consists of is not counted up and down by everybody who uses it.
final class KnownKind: Sendable {
  let registration: DurableRegistration

  init(_ registration: DurableRegistration) { self.registration = registration }
}

/// The kinds that a center knows, each once.
struct KindTable: Sendable {
  private var kinds: [String: KnownKind] = [:]
  private var byType: [ObjectIdentifier: KnownKind] = [:]
  /// The shortest time for which a kind keeps ended jobs.
  private(set) var shortestRetention: Duration?

  init() {}

  /// - Throws: ``DurableError`` with the place where a declaration makes no sense, with both where a kind is declared twice.
  init(_ registrations: [DurableRegistration]) throws {
    for registration in registrations { _ = try add(registration) }
  }

  /// - Returns: false if it was there already (Zt22).
  mutating func add(_ registration: DurableRegistration) throws -> Bool {
    if let problem = registration.problem { throw problem }
    if let other = kinds[registration.kind]?.registration {
      guard other.type == registration.type else { throw DurableError.kindDeclaredTwice(other, registration) }
      return false
    }
    let known = KnownKind(registration)
    kinds[registration.kind] = known
    byType[registration.type] = known
    let times = [registration.retention.finished, registration.retention.failed]
    let shortest = times.compactMap(\.self).filter { $0 > .zero } + [shortestRetention].compactMap(\.self)
    shortestRetention = shortest.min()
    return true
  }

  /// - Returns: false if it was not there (Zt23).
  mutating func remove(_ kind: String) -> Bool {
    guard let removed = kinds.removeValue(forKey: kind) else { return false }
    byType[removed.registration.type] = nil
    return true
  }

  subscript(kind: String) -> KnownKind? { kinds[kind] }

  func known(_ type: any DurableTask.Type) -> KnownKind? { byType[ObjectIdentifier(type)] }

  var all: [DurableRegistration] { kinds.values.map(\.registration).sorted { $0.kind < $1.kind } }
}
