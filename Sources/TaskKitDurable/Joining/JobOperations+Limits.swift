import TaskKit

extension JobOperations {
  // MARK: - Pauses and rates

  // Each store has its own. A center with several asks one after the other: where one fails, those before it have changed.

  /// Begins no further jobs of a queue, in all processes that share the store, also after restarts. What runs goes on.
  ///
  /// - Parameters:
  ///   - queue: its name; one that no job is in yet is paused as well.
  ///   - by: who asks, for those who wonder; this process if omitted.
  public func pause(queue: String, by: String? = nil) async throws { try await setPaused(true, .queue(queue), by) }

  /// Lets the jobs of a queue begin again.
  public func resume(queue: String) async throws { try await setPaused(false, .queue(queue), nil) }

  /// The same for a kind (Z30).
  public func pause(kind: String, by: String? = nil) async throws { try await setPaused(true, .kind(kind), by) }

  /// Lets the jobs of a kind begin again. The slots of its schedule that passed meanwhile are past.
  public func resume(kind: String) async throws { try await setPaused(false, .kind(kind), nil) }

  /// Begins no further jobs whose key limit has that key, of whatever kinds and queues, also such as come later: of one
  /// account, say. What runs goes on.
  ///
  /// The key is that of the store, as with ``setRate(_:ofKey:)``. Jobs without a limit have no such key; single ones, those
  /// with a tag, or those for which something is true are parked by ``hold(where:because:until:)``, which is about jobs that
  /// are there, not about later ones.
  public func pause(key: String, by: String? = nil) async throws { try await setPaused(true, .key(key), by) }

  /// Lets the jobs with that key begin again.
  public func resume(key: String) async throws { try await setPaused(false, .key(key), nil) }

  private func setPaused(_ isPaused: Bool, _ subject: PauseSubject, _ by: String?) async throws {
    try JobText.check(subject.order.1, of: "what is paused,")
    // What an earlier build has taken can be let go.
    if isPaused {
      switch subject {
      case .queue(let queue): try JobText.checkForm(queue, of: "queue")
      case .key(let key): try JobText.checkForm(key, of: "key")
      case .kind: break
      }
    }
    let name = JobText.kept(by ?? runtime.configuration.owner)
    try await changeStores { try await $0.setPaused(isPaused, subject, by: name) }
  }

  /// Who has paused what, and when; of a center with several stores each says it for itself, without its name: `jobs(in:)`
  /// asks one.
  public func pauses() async throws -> [JobPause] { try await gathered { try await $0.pauses() } }

  /// Limits how often jobs whose key limit has that key start, in all processes and queues; nil for no limit.
  ///
  /// The key is that of the store: `upload/accountName` for one of ``KeyLimitRule/by(_:count:)-((Job)->Key,_)``, and what
  /// it is for one that is shared.
  ///
  /// - Throws: ``DurableError`` for a rate of less than one start, or of no time; a ``JobStoreError``.
  public func setRate(_ rate: RateLimit?, ofKey key: String) async throws {
    try JobText.check(key, of: "key")
    if rate != nil { try JobText.checkForm(key, of: "key") }
    try rate?.check(of: "key '\(key)'")
    try await changeStores { try await $0.setRate(rate, ofKey: key) }
  }

  /// Limits how often jobs of a queue start, in all processes; nil for no limit.
  ///
  /// In a center with several stores each store counts for itself, as it does for ``setRate(_:ofKey:)``.
  ///
  /// - Throws: ``DurableError`` for a rate of less than one start, or of no time; a ``JobStoreError``.
  public func setRate(_ rate: RateLimit?, ofQueue queue: String) async throws {
    try JobText.check(queue, of: "queue")
    if rate != nil { try JobText.checkForm(queue, of: "queue") }
    try rate?.check(of: "queue '\(queue)'")
    try await changeStores { try await $0.setRate(rate, ofQueue: queue) }
  }

  /// The declared rates, and what is left of them; of each store, as with ``pauses()``.
  public func rates() async throws -> [JobRate] { try await gathered { try await $0.rates() } }

  private func changeStores(_ change: (any JobStore) async throws -> Void) async throws {
    for engine in try joined() {
      try await engine.open()
      try await change(engine.store)
      engine.noteChange()
    }
  }

  // MARK: - Kinds

  /// Makes a kind known that the registry does not have; jobs that wait for it start (Z29, Zw2).
  ///
  /// - Throws: ``DurableError`` if another type has its name, or its declaration makes no sense; the same type again changes nothing.
  public func register(_ kind: any DurableTask.Type) throws {
    _ = try joined()
    let registration = kind.registration
    _ = try runtime.engine(for: KnownKind(registration))
    try runtime.register(registration)
  }

  /// Forgets a kind: its jobs wait until it is registered again, those that run go on (Z30).
  ///
  /// - Returns: whether it was registered.
  @discardableResult
  public func unregister(_ kind: any DurableTask.Type) -> Bool {
    let name = kind.registration.kind
    // Another type may have the name.
    let known = runtime.kinds[name]?.registration
    guard known?.type == ObjectIdentifier(kind), runtime.kinds.remove(name) else { return false }
    for engine in runtime.engines { engine.unregister(name) }
    return true
  }

  /// The registered kinds, by name.
  public var kinds: [DurableRegistration] { runtime.kinds.all }
}
