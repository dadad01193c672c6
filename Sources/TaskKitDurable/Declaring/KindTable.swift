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

  /// - Parameter stores: the names of those that the center has.
  /// - Returns: what is wrong with each declaration, with its place, and with both where a kind is declared twice.
  mutating func add(_ registrations: [DurableRegistration], stores: [String]) -> [DurableError] {
    var problems: [DurableError] = []
    for registration in registrations {
      do { _ = try add(registration) } catch { problems.append(error) }
    }
    for registration in registrations {
      guard let store = registration.store, !stores.contains(store) else { continue }
      problems.append(.unknownStore(store, known: stores, of: registration))
    }
    return problems
  }

  /// - Returns: false if it was there already (Zt22).
  ///
  /// - Throws: what is wrong with the declaration, all of it.
  mutating func add(_ registration: DurableRegistration) throws(DurableError) -> Bool {
    let other = kinds[registration.kind]?.registration
    var problems = registration.problems
    if let other, other.type != registration.type { problems.append(.kindDeclaredTwice(other, registration)) }
    if let problem = DurableError.all(problems) { throw problem }
    guard other == nil else { return false }
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
