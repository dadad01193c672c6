#if Postgres
public import Foundation
import Synchronization
public import TaskKitDurable

/// Jobs on a PostgreSQL server (13 or later), which any number of processes on any number of machines may share.
///
/// What a method has returned is as durable as the server's commits are: with its defaults, on one server, it survives the
/// death of the process, of the server and a power cut; a replica that takes over may not have the last moments. Jobs whose
/// `durability` is relaxed are committed without waiting for the disk, but where they go together with an exchange, which waits.
///
/// Each process has a lease, which it prolongs all the time. When a process dies, the others find its jobs when the lease
/// has passed; the server's clock says when, and no other clock is asked. A process that was cut off for longer loses its
/// jobs: their attempts are cancelled, and whatever they write afterwards is refused, because their tokens are old. Where
/// nobody could reach the server for so long, each has the time of another lease to come back in.
///
/// Each method is one round trip and one transaction; only the first job of a queue, a kind or a set of constraints takes two
/// round trips and a transaction more. Nothing is kept in sessions, so the store works behind a pooler. Where that keeps
/// no sessions (PgBouncer's transaction mode), pass `notifies: false`.
///
/// When the connection breaks while something is being written, the store connects again and asks the server what has
/// become of it. Only when that takes longer than `patience`, or than the lease, does it throw an error that says that nobody
/// knows. What has been sent is waited for, also by a task that is cancelled.
public final class PostgresStore: JobStore {
  private struct Open {
    let writer: PostgresWriter
    let pool: PostgresPool
    let watch: Task<Void, Never>
    let pulse: Task<Void, Never>
    let trouble: PostgresTrouble
    let cleaner: PostgresCleaner

    /// Ends what works by itself.
    func cancel() {
      watch.cancel()
      pulse.cancel()
    }
  }

  private enum Life {
    case new
    case opening
    case open(Open)
    case closed
  }

  private let settings: PostgresSettings
  private let life = Mutex(Life.new)
  private let signal = AsyncStream<Void>.makeStream(bufferingPolicy: .bufferingNewest(1))
  /// The sorts of jobs whose shelves are known to be there.
  let shelves = Mutex<Set<String>>([])

  /// What makes no sense is refused by a center that gets the store, and when it is opened, with what would.
  ///
  /// - Parameters:
  ///   - address: a URL such as `postgresql://user@host/database`, or what libpq calls a connection string. What is
  ///     missing comes from the environment (`PGHOST`, `PGPASSWORD`, …) as with every client of PostgreSQL.
  ///   - schema: where the tables are, made when it is not there. Each schema is a store of its own.
  ///   - lease: after how long without a sign of life a process counts as dead. It gives one three times in that time; a second
  ///     at least, and a hundred years at most.
  ///   - connections: how many connections it has for reading; it has two others, for writing and for watching, and for
  ///     moments a third one, for tidying up. One at least.
  ///   - notifies: whether processes tell each other of what has happened in queues that they work for. They look by
  ///     themselves, too: at least every `pollInterval`.
  ///   - pollInterval: the most time between two looks at what others have done; ten milliseconds at least.
  ///   - patience: for how long it tries to learn what has become of something that it was writing when the connection broke.
  public convenience init(
    at address: String, schema: String = "public", lease: Duration = .seconds(30), connections: Int = 2,
    notifies: Bool = true, pollInterval: Duration = .seconds(1), patience: Duration = .seconds(30)
  ) {
    self.init(
      PostgresSettings(
        address: address, name: PostgresSettings.name(of: address), schemaName: schema,
        schema: PostgresValue.quoted(schema), lease: lease, connections: connections, notifies: notifies,
        patience: patience, pollInterval: pollInterval, usesEnvironmentClock: false))
  }

  /// A store for tests whose calendar stands still: jobs go by the environment's clock, leases still by the server's.
  package convenience init(
    testing address: String, schema: String, notifies: Bool = true, mostDeadRows: Int = 20_000,
    mostBytes: Int = 64_000_000, build: PostgresSchema.Build = .current
  ) {
    self.init(
      PostgresSettings(
        address: address, name: PostgresSettings.name(of: address), schemaName: schema,
        schema: PostgresValue.quoted(schema), lease: .seconds(600), connections: 2, notifies: notifies,
        patience: .seconds(30), pollInterval: .seconds(1), mostDeadRows: mostDeadRows, mostBytes: mostBytes,
        usesEnvironmentClock: true, build: build))
  }

  private init(_ settings: PostgresSettings) { self.settings = settings }

  deinit {
    guard let open = end() else { return }
    // Ends when the connections are closed; as an owner it ends when its lease has passed.
    Task {
      await open.writer.die()
      await open.pool.close()
      await open.cleaner.end()
    }
  }

  public var name: String { settings.name }

  // MARK: Opening and closing

  public func open(_ environment: StoreEnvironment) async throws -> StoreOpening {
    try settings.check()
    let isNew = life.withLock { life in
      guard case .new = life else { return false }
      life = .opening
      return true
    }
    guard isNew else { throw settings.error(.closed, "a store is opened once") }
    do {
      let (open, opening) = try await begin(environment)
      let isWanted = life.withLock { life in
        guard case .opening = life else { return false }
        life = .open(open)
        return true
      }
      guard isWanted else {
        await close(open)
        throw settings.error(.closed, "it was closed while it was opened")
      }
      return opening
    } catch {
      life.withLock { if case .opening = $0 { $0 = .new } }
      throw settings.error(error)
    }
  }

  private func begin(_ environment: StoreEnvironment) async throws -> (Open, StoreOpening) {
    let connection = try await PostgresConnection.open(settings.address)
    try await PostgresSchema.migrate(connection, schema: settings.schemaName, store: name, build: settings.build)
    let rows = try await connection.query([
      PostgresStatement(
        "SELECT owner, identity FROM \(settings.schema).taskkit_open($1, $2)",
        [.text(environment.owner.withoutNull), .integer(settings.lease.microseconds)]),
      // What happens from now on is told. Nobody has that number.
      PostgresWatch.look(settings, owner: .min),
    ])
    guard let owner = rows[0].first?.integer(0), let identity = rows[0].first?.text(1).flatMap(UUID.init) else {
      throw settings.error(.corrupt, "it has no identity")
    }
    let pool = PostgresPool(settings)
    let schema = settings.schema
    let notifies = settings.notifies
    let notifier = PostgresNotifier { [weak pool] queues, owner in
      // Whoever is not told looks by himself.
      _ = try? await pool?.query(
        "SELECT \(schema).taskkit_tell($1, $2)", [.integer(owner), .texts(queues.sorted())])
    }
    let writer = PostgresWriter(
      settings, environment: environment, connection: connection, owner: owner, signal: signal.continuation
    ) { if notifies { notifier.tell($0, by: $1) } }
    let rescued = try await writer.exchange(JobExchange()).rescued
    let (trouble, cleaner) = (PostgresTrouble(), PostgresCleaner(settings))
    let watch = PostgresWatch(
      settings: settings, identity: identity, subject: { [weak writer] in await writer?.subject },
      signal: signal.continuation, moves: PostgresWatch.moves(rows[1]), trouble: trouble, cleaner: cleaner)
    let pulse = PostgresPulse(
      lease: settings.lease, beat: { [weak writer] in await writer?.beat() }, isBlind: { trouble.now != nil },
      signal: signal.continuation)
    // Both end when the store is closed or gone.
    let open = Open(
      writer: writer, pool: pool, watch: Task { await watch.run() }, pulse: Task { await pulse.run() },
      trouble: trouble, cleaner: cleaner)
    return (open, StoreOpening(identity: identity, rescued: rescued))
  }

  public func close() async {
    if let open = end() { await close(open) }
  }

  private func close(_ open: Open) async {
    open.cancel()
    await open.writer.close()
    await open.pool.close()
    await open.cleaner.end()
  }

  /// Ends the owner as the death of its process would: what it holds stays where it is until its lease has passed. For tests.
  package func die() async {
    guard let open = end() else { return }
    await open.writer.die()
    await open.pool.close()
    await open.cleaner.end()
  }

  private func end() -> Open? {
    let last = life.withLock { life in
      defer { life = .closed }
      return life
    }
    signal.continuation.finish()
    guard case .open(let open) = last else { return nil }
    open.cancel()
    return open
  }

  private func opened() throws -> Open {
    guard case .open(let open) = life.withLock({ $0 }) else {
      throw settings.error(.closed, "it was not opened, or was closed")
    }
    return open
  }

  /// The number of this owner, for tests.
  package var owner: Int64? {
    get async { try? await opened().writer.owner }
  }

  /// How many queues it watches of those that it was asked for, for tests.
  package var watchedQueues: Int {
    get async { (try? await opened().writer.subject.queues.count) ?? 0 }
  }

  /// Gives a sign of life by the connection for writing, for tests.
  package func beat() async throws { _ = try await opened().writer.beat() }

  /// How many attempts it would cancel if its lease passed now, for tests.
  package var held: Int {
    get async { (try? await opened().writer.held) ?? 0 }
  }

  /// How many calls wait for the transaction that is on its way, for tests.
  package var waiting: Int {
    get async { (try? await opened().writer.waiting) ?? 0 }
  }

  // MARK: Transactions

  public func enqueue(_ jobs: [NewJob]) async throws -> [EnqueuedJob] {
    try await telling { try await $0.writer.enqueue(jobs) }
  }

  public func exchange(_ exchange: JobExchange) async throws -> JobExchange.Answer {
    try await telling { try await $0.writer.exchange(exchange) }
  }

  public func change(_ selection: JobSelection, _ change: JobChange) async throws -> JobChangeAnswer {
    let answer = try await perform(PostgresCall(selection, change))
    return JobChangeAnswer(
      count: answer.count ?? 0, cancelled: (answer.cancelled ?? []).map(AttemptToken.init).sorted())
  }

  public func setPaused(_ paused: Bool, _ subject: PauseSubject, by name: String) async throws {
    struct Pause: Encodable {
      let subject: Int
      let name: String
      let by: String
    }
    let (sort, subjectName) = subject.order
    let pause = Pause(subject: sort, name: subjectName, by: name.withoutNull)
    _ = try await perform(PostgresCall(paused ? "pause" : "resume", pause))
  }

  public func setRate(_ rate: RateLimit?, ofQueue queue: String) async throws {
    try await setRate(rate, isKey: false, queue)
  }

  public func setRate(_ rate: RateLimit?, ofKey key: String) async throws {
    try await setRate(rate, isKey: true, key)
  }

  private func setRate(_ rate: RateLimit?, isKey: Bool, _ name: String) async throws {
    struct Rate: Encodable {
      let is_key: Bool
      let name: String
      let count: Int?
      let period: Int64?
    }
    _ = try await perform(
      PostgresCall("rate", Rate(is_key: isKey, name: name, count: rate?.count, period: rate?.period.microseconds)))
  }

  public func schedule(_ name: String, beginning date: Date) async throws -> ScheduleRecord {
    struct Schedule: Encodable {
      let name: String
      let begun: Int64
    }
    let call = try PostgresCall("schedule", Schedule(name: name, begun: StoreTime(date).microseconds))
    let answer = try PostgresAnswer(try await telling { try await $0.writer.perform(call) }.first)
    guard let begun = answer.begun, let count = answer.count else {
      throw settings.error(.corrupt, CommonTable.schedule.damage("'\(name)'"))
    }
    return ScheduleRecord(
      begun: StoreTime(microseconds: begun).date, latest: answer.latest.map { StoreTime(microseconds: $0).date },
      count: count)
  }

  public func sweep(limit: Int) async throws -> Duration? {
    let call = try PostgresCall("sweep", ["limit": max(0, limit)])
    let rows = try await telling { try await $0.writer.perform(call) }
    return try PostgresAnswer(rows.first).next.map { .microseconds($0) }
  }

  private func perform(_ call: PostgresCall) async throws -> PostgresAnswer {
    try await telling { try PostgresAnswer(try await $0.writer.perform(call).first) }
  }

  private func telling<Value: Sendable>(_ body: (Open) async throws -> Value) async throws -> Value {
    let open = try opened()
    do { return try await body(open) } catch { throw settings.error(error) }
  }

  // MARK: Reading

  func query(_ sql: String, _ values: [PostgresValue] = []) async throws -> [PostgresRow] {
    try await telling { try await $0.pool.query(sql, values) }
  }

  /// What the calendar says now; nil where that is the server's.
  var time: Int64? {
    get throws { try opened().writer.time }
  }

  /// What keeps the watch from its work; nil where nothing does.
  var watchTrouble: PostgresHealth.Watch? {
    get throws { try opened().trouble.now }
  }

  /// Reads what the server has said.
  func understood<Value>(_ body: () throws -> Value) throws -> Value {
    do { return try body() } catch { throw settings.error(error) }
  }

  /// The schema as it stands in statements.
  var schema: String { settings.schema }

  /// The newest format of the schema that this build knows.
  var format: Int { settings.build.version }

  public func changes() -> AsyncStream<Void> { signal.stream }
}

extension PostgresStore: CheckedStore {
  package var problems: [String] { settings.problems }
}
#endif
