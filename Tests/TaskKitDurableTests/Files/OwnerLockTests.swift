#if Durable && !os(Windows)
import Foundation
import GRDB
import ProcessTesting
import Synchronization
@testable import TaskKitDurable
import Testing

/// Who lives and who has died, whatever becomes of the names of the file and of the locks beside it.
@Suite(.serialized, .timeLimit(.minutes(15))) struct OwnerLockTests {
  private static let claim = JobExchange.Claim(queue: "default", limit: 9, kinds: [.init("Upload", limit: 9)])
  private let new = NewJob(kind: "Upload", payload: JobPayload(bytes: Data()))

  /// Moves on only when it is told to.
  private final class Calendar: Sendable {
    private let date = Mutex(Date(timeIntervalSince1970: 1_000))
    /// What nobody sets.
    private let instant = Mutex(SuspendingClock.now)

    func advance(by seconds: TimeInterval) {
      set(by: seconds)
      instant.withLock { $0 = $0.advanced(by: .seconds(seconds)) }
    }

    /// No time passes.
    func set(by seconds: TimeInterval) { date.withLock { $0 += seconds } }

    func environment(_ owner: String) -> StoreEnvironment {
      StoreEnvironment(now: { [self] in date.withLock { $0 } }, owner: owner)
    }

    func hearing(asksSystem: Bool, interval: Duration) -> SQLiteHearing {
      SQLiteHearing(asksSystem: asksSystem, interval: interval, now: { [self] in instant.withLock { $0 } })
    }
  }

  private let calendar = Calendar()

  /// - Parameter isDeaf: whether it hears nothing of others while a test lasts.
  private func open(
    _ owner: String, _ file: URL, isDeaf: Bool = false
  ) async throws -> (store: SQLiteStore, opening: StoreOpening) {
    let hearing = calendar.hearing(asksSystem: !isDeaf, interval: .seconds(isDeaf ? 100_000 : 1))
    let store = SQLiteStore(at: file, patience: 10, hearing: hearing)
    return (store, try await store.open(calendar.environment(owner)))
  }

  private func look(_ store: SQLiteStore) async throws -> JobExchange.Answer {
    try await store.exchange(JobExchange())
  }

  /// Returns when a store has looked at the file, as it does after its opening: from then on a deaf one sees nothing.
  private func rest(_ store: SQLiteStore) async throws { try await waitUntil { !store.isBusy } }

  private func claimOne(_ store: SQLiteStore) async throws -> AttemptKey {
    let job = try #require(try await store.exchange(JobExchange(claims: [Self.claim])).claimed.first)
    return AttemptKey(job: job.id, token: job.token)
  }

  private func end(_ key: AttemptKey, _ store: SQLiteStore) async throws -> Bool {
    try await store.exchange(JobExchange(ends: [(key, .succeeded(result: nil))])).ends == [true]
  }

  private func locks(_ file: URL) -> URL { URL(filePath: file.path + "-owners") }

  /// The folder comes back with the first lock.
  private func lockNames(_ file: URL) -> [String] {
    (try? FileManager.default.contentsOfDirectory(atPath: locks(file).path)) ?? []
  }

  /// At once: owners that hear of it put back what somebody else still removes.
  private func deleteLocks(_ file: URL) throws {
    let gone = file.deletingLastPathComponent().appending(path: UUID().uuidString)
    try FileManager.default.moveItem(at: locks(file), to: gone)
    try FileManager.default.removeItem(at: gone)
  }

  private func link(_ link: URL, to target: URL) throws {
    try FileManager.default.createSymbolicLink(at: link, withDestinationURL: target)
  }

  @Test(arguments: ["a link", "a link to a link", "a link in another folder", "a link that was there before"])
  func `who has the file open by another name keeps its jobs`(name: String) async throws {
    let fixture = try SQLiteFixture()
    var other = fixture.folder.appending(path: "link.sqlite")
    var first = fixture.file
    switch name {
    case "a link to a link":
      try link(fixture.folder.appending(path: "between.sqlite"), to: first)
      try link(other, to: fixture.folder.appending(path: "between.sqlite"))
    case "a link in another folder":
      let folder = fixture.folder.appending(path: "inner")
      try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
      other = folder.appending(path: "link.sqlite")
      try FileManager.default.createSymbolicLink(atPath: other.path, withDestinationPath: "../jobs.sqlite")
    case "a link that was there before":
      try link(other, to: first)
      (first, other) = (other, first)
    default: try link(other, to: first)
    }
    let store = try await open("first", first).store
    let id = try await store.enqueue([new])[0].id
    let key = try await claimOne(store)
    #if os(Linux)
    // Another process opens it, and gives back what dead owners hold.
    let path = other.path
    let history = fixture.folder.appending(path: "history").path
    let exit = try await onThread {
      try ProbeProcess(run: "other", ["PROBE_MODE": "open", "PROBE_FILE": path, "PROBE_HISTORY": history]).end()
    }
    #expect(exit == .exit(0))
    #endif
    let second = try await open("second", other)
    #expect(second.opening.rescued == [])
    #expect(try await second.store.exchange(JobExchange(claims: [Self.claim])).claimed.isEmpty)
    #expect(try await end(key, store))
    #expect(try await second.store.jobs(JobSelection(ids: [id]), after: nil, limit: 1).isEmpty)
    await second.store.close()
    await store.close()
  }

  #if os(Linux)
  /// An owner that dies: the kernel frees its lock only when it has been looked for once.
  private final class Dying: Sendable {
    let lock: OwnerLock
    /// Where whoever looks comes by between two looks.
    let moments = Gate()
    private let count = Mutex(0)

    init(_ lock: OwnerLock) {
      self.lock = lock
      moments.open()
    }

    /// A moment passes between two looks, the first time between those with which whoever looks begins.
    func passMoment() async {
      await moments.pass()
      let count = count.withLock { count in
        count += 1
        return count
      }
      if count == 2 { lock.lock.unlock() }
    }
  }

  @Test func `a death that the kernel tells of before it frees the lock is found a moment later`() async throws {
    let fixture = try SQLiteFixture()
    try FileManager.default.createDirectory(at: locks(fixture.file), withIntermediateDirectories: true)
    let name = "\(UUID().uuidString).1"
    let path = locks(fixture.file).appending(path: name).path
    let lock = try FileLock(at: path)
    let isHeld = lock.tryLock()
    try #require(isHeld)
    let dying = Dying(OwnerLock(lock: lock, name: name))
    let hearing = SQLiteHearing(
      interval: .seconds(1_000_000),
      sleep: { duration in
        if duration < .seconds(1) { await dying.passMoment() } else { try await Task.sleep(for: duration) }
      })
    let store = SQLiteStore(at: fixture.file, patience: 10, hearing: hearing)
    _ = try await store.open(calendar.environment("test"))
    _ = try await store.enqueue([new])
    let key = try await claimOne(store)
    let database = try DatabaseQueue(path: fixture.file.path)
    try await database.write { db in
      try db.execute(sql: "INSERT INTO taskkit_owner VALUES (7, 'dying', ?)", arguments: [name])
      try db.execute(sql: "UPDATE taskkit_running SET owner = 7")
    }
    try database.close()
    #expect(try await look(store).rescued == [])
    await dying.moments.arrivals(1)
    // What the kernel tells of a process that dies.
    try FileHandle(forUpdating: URL(filePath: path)).close()
    var changes = store.changes().makeAsyncIterator()
    // It looks for nobody by itself: time stands still.
    repeat { _ = await changes.next() } while try await look(store).rescued.map(\.id) != [key.job]
    await store.close()
  }
  #endif

  @Test func `when the folder of the locks is deleted, those who live keep their jobs`() async throws {
    let fixture = try SQLiteFixture()
    let (first, second) = (try await open("first", fixture.file).store, try await open("second", fixture.file).store)
    _ = try await first.enqueue([new])
    let key = try await claimOne(first)
    for _ in 0..<2 {
      try deleteLocks(fixture.file)
      calendar.advance(by: 4)
      #expect(try await look(second).rescued == [])
      let third = try await open("third", fixture.file)
      #expect(third.opening.rescued == [])
      // They put their locks back.
      _ = try await look(first)
      _ = try await look(second)
      calendar.advance(by: 60)
      #expect(try await look(second).rescued == [])
      await third.store.close()
    }
    #expect(try await end(key, first))
    // And they are found when they die.
    _ = try await first.enqueue([new])
    let next = try await claimOne(first)
    first.die()
    calendar.advance(by: 4)
    #expect(try await look(second).rescued.map(\.id) == [next.job])
    await second.close()
  }

  @Test func `an owner that could not be put back into its place tries again, with nothing to say`() async throws {
    let fixture = try SQLiteFixture()
    let disk = FailingDisk(fixture.folder)
    let store = SQLiteStore(
      at: fixture.file, patience: 10, hearing: calendar.hearing(asksSystem: false, interval: .milliseconds(2)))
    _ = try await store.open(calendar.environment("first"))
    _ = try await store.enqueue([new])
    let key = try await claimOne(store)
    let other = try await open("second", fixture.file, isDeaf: true).store
    // SQLITE_FULL, from now on.
    disk.fail(.init(code: 13, place: 1))
    try deleteLocks(fixture.file)
    try await waitUntil { disk.hasFailed }
    disk.repair()
    // It is found under the name that the file knows, and nobody takes its jobs.
    func stored() async throws -> Set<String> {
      let database = try DatabaseQueue(path: fixture.file.path, configuration: .patient)
      defer { try? database.close() }
      return Set(try await database.read { try String.fetchAll($0, sql: "SELECT lock FROM taskkit_owner") })
    }
    try await waitUntil { try await !stored().isDisjoint(with: lockNames(fixture.file)) }
    calendar.advance(by: 60)
    #expect(try await look(other).rescued == [])
    #expect(try await end(key, store))
    await other.close()
    await store.close()
  }

  @Test func `an owner whose lock was deleted hears of it, and puts it back`() async throws {
    let fixture = try SQLiteFixture()
    let store = SQLiteStore(
      at: fixture.file, patience: 10, hearing: calendar.hearing(asksSystem: false, interval: .milliseconds(2)))
    _ = try await store.open(calendar.environment("first"))
    let other = try await open("second", fixture.file, isDeaf: true).store
    try deleteLocks(fixture.file)
    try await waitUntil { lockNames(fixture.file).count >= 3 }
    await other.close()
    await store.close()
  }

  @Test func `who died is found after a time where its lock was deleted, too`() async throws {
    let fixture = try SQLiteFixture()
    let first = try await open("first", fixture.file).store
    let id = try await first.enqueue([new])[0].id
    _ = try await claimOne(first)
    first.die()
    try deleteLocks(fixture.file)
    let second = try await open("second", fixture.file)
    #expect(second.opening.rescued == [])
    calendar.advance(by: 9)
    #expect(try await look(second.store).rescued == [])
    calendar.advance(by: 3)
    #expect(try await look(second.store).rescued.map(\.id) == [id])
    await second.store.close()
  }

  @Test func `who lives keeps its jobs though the calendar is set ahead while its lock is away`() async throws {
    let fixture = try SQLiteFixture()
    let first = try await open("first", fixture.file, isDeaf: true).store
    _ = try await first.enqueue([new])
    let key = try await claimOne(first)
    try await rest(first)
    try deleteLocks(fixture.file)
    let second = try await open("second", fixture.file, isDeaf: true)
    #expect(second.opening.rescued == [])
    // As when the system has slept, and nobody could put anything back.
    calendar.set(by: 3_600)
    #expect(try await look(second.store).rescued == [])
    #expect(try await end(key, first))
    await second.store.close()
    await first.close()
  }

  /// 2000 is where clocks without a battery begin, 1970 where the system does without one, 1980 with FAT.
  @Test(arguments: [946_684_800, 0, 315_532_800])
  func `who died counts as dead whatever date a clock that was never set has given to its lock`(
    date: Int
  ) async throws {
    let fixture = try SQLiteFixture()
    let first = try await open("first", fixture.file).store
    let id = try await first.enqueue([new])[0].id
    _ = try await claimOne(first)
    first.die()
    let names = try FileManager.default.contentsOfDirectory(atPath: locks(fixture.file).path)
    for name in names where UUID(uuidString: String(name.prefix { $0 != "." })) != nil {
      try FileManager.default.setAttributes(
        [.modificationDate: Date(timeIntervalSince1970: TimeInterval(date + 3))],
        ofItemAtPath: locks(fixture.file).appending(path: name).path)
    }
    let second = try await open("second", fixture.file)
    #expect(second.opening.rescued.map(\.id) == [id])
    let job = try #require(try await second.store.jobs(JobSelection(ids: [id]), after: nil, limit: 1).first)
    #expect((job.attempts, job.crashes) == (1, 1))
    await second.store.close()
  }

  @Test func `the owners of the file that was copied are none of the copy`() async throws {
    let fixture = try SQLiteFixture()
    let store = try await open("first", fixture.file).store
    let id = try await store.enqueue([new])[0].id
    let key = try await claimOne(store)
    let copy = fixture.folder.appending(path: "copy.sqlite")
    for end in ["", "-wal"] {
      try FileManager.default.copyItem(atPath: fixture.file.path + end, toPath: copy.path + end)
    }
    let second = try await open("second", copy)
    #expect(second.opening.rescued.map(\.id) == [id])
    #expect(try await end(key, store))
    await second.store.close()
    await store.close()
  }

  @Test func `who was given up although it lives hears that it has lost its jobs, and is found again`() async throws {
    let fixture = try SQLiteFixture()
    let first = try await open("first", fixture.file, isDeaf: true).store
    let id = try await first.enqueue([new])[0].id
    let lost = try await claimOne(first)
    try await rest(first)
    try deleteLocks(fixture.file)
    let second = try await open("second", fixture.file, isDeaf: true).store
    calendar.advance(by: 11)
    #expect(try await look(second).rescued.map(\.id) == [id])
    #expect(try await look(first).toCancel == [lost.token])
    #expect(try await !end(lost, first))
    // It goes on, as everybody else.
    let key = try await claimOne(first)
    calendar.advance(by: 60)
    #expect(try await look(second).rescued == [])
    first.die()
    calendar.advance(by: 4)
    #expect(try await look(second).rescued.map(\.id) == [key.job])
    await second.close()
  }

  @Test func `jobs of an owner that the file does not know are given back`() async throws {
    let fixture = try SQLiteFixture()
    let first = try await open("first", fixture.file).store
    let id = try await first.enqueue([new])[0].id
    _ = try await claimOne(first)
    first.die()
    let database = try DatabaseQueue(path: fixture.file.path, configuration: .patient)
    // As earlier versions left it.
    try await database.write { try $0.execute(sql: "DELETE FROM taskkit_owner") }
    try database.close()
    let second = try await open("second", fixture.file)
    #expect(second.opening.rescued.map(\.id) == [id])
    await second.store.close()
  }

  @Test func `those who look at one moment whether an owner lives do not take each other for it`() throws {
    let fixture = try SQLiteFixture(isFast: true)
    let path = fixture.folder.appending(path: "lock").path
    let lock = try FileLock(at: path)
    var second: FileLock.Holding?
    var wasTaken = true
    let first = FileLock.holding(at: path) {
      second = FileLock.holding(at: path)
      wasTaken = lock.tryLock()
    }
    #expect(first == .free)
    #expect(second == .free)
    #expect(!wasTaken, "nobody can take it while one looks")
    let isHeld = lock.tryLock()
    #expect(isHeld)
    #expect(FileLock.holding(at: path) == .held)
    lock.unlock()
  }

  @Test func `an idle owner hears of a death where the system tells nothing`() async throws {
    let fixture = try SQLiteFixture()
    let living = SQLiteStore(
      at: fixture.file, patience: 10, hearing: calendar.hearing(asksSystem: false, interval: .milliseconds(2)))
    _ = try await living.open(calendar.environment("living"))
    let dying = try await open("dying", fixture.file).store
    _ = try await dying.enqueue([new])
    let key = try await claimOne(dying)
    #expect(try await look(living).rescued == [])
    dying.die()
    // Nobody writes, and no time passes.
    var changes = living.changes().makeAsyncIterator()
    var rescued: [RescuedJob] = []
    while rescued.isEmpty {
      await changes.next()
      rescued = try await look(living).rescued
    }
    #expect(rescued.map(\.id) == [key.job])
    await living.close()
  }

  @Test func `who brings the jobs elsewhere finds the dead also where the locks were deleted, and not the living`()
    async throws
  {
    let fixture = try SQLiteFixture()
    let living = try await open("living", fixture.file, isDeaf: true).store
    let dying = try await open("dying", fixture.file, isDeaf: true).store
    _ = try await dying.enqueue([new])
    let key = try await claimOne(dying)
    dying.die()
    try await rest(living)
    try deleteLocks(fixture.file)
    let path = fixture.file.path
    let database = try DatabaseQueue(path: fixture.file.path, configuration: .patient)
    func settle(_ away: Set<String> = []) async throws -> SQLiteMove.Owners {
      try await database.write { try SQLiteMove.settle($0, at: path, away: away) }
    }
    let before = try await settle()
    #expect(before.living == [])
    #expect(before.away.values.sorted() == ["dying", "living"])
    // Who lives puts its lock back.
    calendar.advance(by: 4)
    _ = try await look(living)
    let after = try await settle(Set(before.away.keys))
    #expect(after.living == ["living"])
    #expect(after.away == [:])
    try database.close()
    let job = try #require(try await living.jobs(JobSelection(ids: [key.job]), after: nil, limit: 1).first)
    #expect((job.state, job.crashes) == (.ready, 1))
    await living.close()
  }

  @Test func `who uses a file alone puts its lock back for who wants to bring the jobs elsewhere`() async throws {
    let fixture = try SQLiteFixture()
    let living = SQLiteStore(
      at: fixture.file, patience: 10, hearing: calendar.hearing(asksSystem: false, interval: .milliseconds(2)))
    _ = try await living.open(calendar.environment("living"))
    _ = try await living.enqueue([new])
    let key = try await claimOne(living)
    try deleteLocks(fixture.file)
    let path = fixture.file.path
    let database = try DatabaseQueue(path: fixture.file.path, configuration: .patient)
    /// As `taskkit-migrate` does it.
    func settle(_ away: Set<String> = []) async throws -> SQLiteMove.Owners {
      try await database.writeWithoutTransaction { db in
        try db.execute(sql: "BEGIN IMMEDIATE")
        let owners = try SQLiteMove.settle(db, at: path, away: away)
        try db.execute(sql: "ROLLBACK; \(SQLiteMove.touch)")
        return owners
      }
    }
    let before = try await settle()
    #expect(before.away.values.map { $0 } == ["living"])
    try await waitUntil {
      lockNames(fixture.file).contains { UUID(uuidString: String($0.prefix { $0 != "." })) != nil }
    }
    let after = try await settle(Set(before.away.keys))
    #expect(after.living == ["living"])
    #expect(after.away == [:])
    try database.close()
    #expect(try await end(key, living))
    await living.close()
  }

  @Test func `locks that processes have left before they were owners are removed after a minute`() async throws {
    let fixture = try SQLiteFixture()
    let store = try await open("first", fixture.file).store
    let (old, young) = (UUID().uuidString, UUID().uuidString)
    let held = UUID().uuidString
    for name in [old, young, held] {
      try Data().write(to: locks(fixture.file).appending(path: name))
    }
    let lock = try FileLock(at: locks(fixture.file).appending(path: held).path)
    let isHeld = lock.tryLock()
    #expect(isHeld)
    for name in [old, held] {
      try FileManager.default.setAttributes(
        [.modificationDate: Date(timeIntervalSinceNow: -120)],
        ofItemAtPath: locks(fixture.file).appending(path: name).path)
    }
    let second = try await open("second", fixture.file).store
    let names = try FileManager.default.contentsOfDirectory(atPath: locks(fixture.file).path)
    #expect(!names.contains(old))
    #expect(names.contains(young) && names.contains(held))
    lock.unlock()
    await second.close()
    await store.close()
    let left = try FileManager.default.contentsOfDirectory(atPath: locks(fixture.file).path)
    #expect(Set(left) == ["next", "turn", young, held])
  }
}
#endif
