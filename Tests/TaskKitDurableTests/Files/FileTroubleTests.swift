#if Durable && !os(Windows)
import Faults
import Foundation
import GRDB
import Synchronization
import TaskKit
@testable import TaskKitDurable
import TaskKitTesting
import Testing

/// What can be wrong with a file: each is told as a typed error that names it, nothing that was acknowledged is lost, and
/// work goes on when the cause is gone.
@Suite(.serialized) struct FileTroubleTests {
  private static let new = NewJob(
    kind: "Upload", payload: JobPayload(bytes: Data(repeating: 7, count: 3_000)), maximumAttempts: nil,
    retention: JobRetention(finished: nil, failed: nil))
  private static let claim = JobExchange.Claim(queue: "default", limit: 2, kinds: [.init("Upload", limit: 2)])

  /// What has been acknowledged by a store that fails now and then.
  private struct Book {
    var jobs: Set<JobID> = []
    var finished: Set<JobID> = []
    var errors: [JobStoreError] = []
    /// The largest token that was given out.
    var token = AttemptToken(rawValue: 0)
    var held: [ClaimedJob] = []

    /// Does something that may fail; what it was then to have happened has not.
    mutating func attempt(_ body: (inout Book) async throws -> Void) async throws {
      do {
        try await body(&self)
      } catch let error as JobStoreError {
        errors.append(error)
      }
    }

    mutating func work(_ store: SQLiteStore, rounds: Int) async throws {
      for _ in 0..<rounds {
        try await attempt { book in
          for job in try await store.enqueue([FileTroubleTests.new, FileTroubleTests.new]) { book.jobs.insert(job.id) }
        }
        try await attempt { book in
          let held = book.held
          let ends = held.map { (AttemptKey(job: $0.id, token: $0.token), JobExchange.End.succeeded(result: nil)) }
          let answer = try await store.exchange(JobExchange(ends: ends, claims: [FileTroubleTests.claim]))
          #expect(answer.ends.allSatisfy { $0 })
          for job in held { book.finished.insert(job.id) }
          for job in answer.claimed { #expect(job.token > book.token) }
          book.token = answer.claimed.map(\.token).max() ?? book.token
          book.held = answer.claimed
        }
      }
    }
  }

  struct Disk: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let code: Int32
    let isFlush: Bool
    let reason: JobStoreError.Reason
  }

  @Test(arguments: [
    Disk(testDescription: "full", code: 13, isFlush: false, reason: .full),
    // SQLITE_IOERR_WRITE and SQLITE_IOERR_FSYNC.
    Disk(testDescription: "broken", code: 10 | 3 << 8, isFlush: false, reason: .inputOutput),
    Disk(testDescription: "not flushing", code: 10 | 4 << 8, isFlush: true, reason: .inputOutput),
    // SQLITE_READONLY: the system has made it read-only after an error, for one.
    Disk(testDescription: "read-only", code: 8, isFlush: false, reason: .readOnly),
  ])
  func `a disk that fails at any operation takes nothing with it, and work goes on`(disk: Disk) async throws {
    var place = 1
    var didFail = true
    while didFail {
      let fixture = try SQLiteFixture(isFast: true)
      let failing = FailingDisk(fixture.folder)
      let store = SQLiteStore(at: fixture.file)
      _ = try await store.open(StoreEnvironment(owner: "test"))
      var book = Book()
      try await book.work(store, rounds: 1)
      #expect(book.errors == [])
      failing.fail(.init(code: disk.code, isFlush: disk.isFlush, place: place))
      try await book.work(store, rounds: 2)
      didFail = failing.repair()
      if didFail {
        #expect(!book.errors.isEmpty, "place \(place)")
        #expect(book.errors.allSatisfy { $0.reason == disk.reason }, "place \(place): \(book.errors)")
        #expect(book.errors.allSatisfy { $0.description.contains(fixture.file.path) })
      }
      let failures = book.errors.count
      try await book.work(store, rounds: 2)
      #expect(book.errors.count == failures, "place \(place): \(book.errors)")
      await store.close()

      let again = SQLiteStore(at: fixture.file)
      _ = try await again.open(StoreEnvironment(owner: "judge"))
      let jobs = try await again.jobs(.all, after: nil, limit: .max)
      #expect(Set(jobs.map(\.id)) == book.jobs, "place \(place)")
      #expect(Set(jobs.filter { $0.state == .finished }.map(\.id)) == book.finished, "place \(place)")
      await again.close()
      let database = try DatabaseQueue(path: fixture.file.path)
      #expect(try await database.read { try String.fetchAll($0, sql: "PRAGMA integrity_check") } == ["ok"])
      try database.close()
      place += 1
    }
    // Each write, or flush, of the work, one after the other.
    #expect(place > (disk.isFlush ? 4 : 20))
  }

  @Test func `who ends in good order on a full disk has not crashed`() async throws {
    let fixture = try SQLiteFixture(isFast: true)
    let failing = FailingDisk(fixture.folder)
    for round in 0..<3 {
      let store = SQLiteStore(at: fixture.file)
      let opening = try await store.open(StoreEnvironment(owner: "test"))
      #expect(opening.rescued == [], "round \(round)")
      if round == 0 { _ = try await store.enqueue([Self.new]) }
      let claimed = try await store.exchange(JobExchange(claims: [Self.claim])).claimed
      #expect(claimed.map(\.attempt) == [1], "round \(round)")
      failing.fail(.init(code: 13, place: 1))
      await store.close()
      #expect(failing.repair(), "round \(round)")
    }
    let again = SQLiteStore(at: fixture.file)
    _ = try await again.open(StoreEnvironment(owner: "judge"))
    let job = try #require(try await again.jobs(.all, after: nil, limit: 9).first)
    #expect((job.state, job.attempts, job.crashes, job.errors.count) == (.ready, 0, 0, 0))
    // It looks whom the file no longer knows.
    _ = try await again.exchange(JobExchange())
    await again.close()
    // Nothing is left of those who have gone.
    let left = try FileManager.default.contentsOfDirectory(atPath: fixture.file.path + "-owners")
    #expect(Set(left) == ["next", "turn"])
  }

  @Test(
    .timeLimit(.minutes(5)),
    arguments: [
      FailingDisk.Fault(code: 10 | 3 << 8, place: 1), FailingDisk.Fault(code: 10 | 4 << 8, isFlush: true, place: 1),
    ])
  func `what a body came to, and a step of it, are written down when a disk that failed works again`(
    fault: FailingDisk.Fault
  ) async throws {
    let fixture = try SQLiteFixture(isFast: true)
    let failing = FailingDisk(fixture.folder)
    let store = SQLiteStore(at: fixture.file)
    let bench = try JobBench(Work.self, wrapping: { _ in store })
    let gate = Gate()
    bench.probe.on("a") { _ in await gate.pass() }
    bench.probe.on("b") { context in
      await gate.pass()
      _ = try await context.once("charge") { bench.probe.note("charged") }
    }
    var events = bench.center.jobs.events().makeAsyncIterator()
    try await bench.center.enqueue([Work("a"), Work("b")])
    bench.center.start()
    await gate.arrivals(2)
    failing.fail(fault)
    gate.open()
    var first: String?
    while first == nil, let event = await events.next() {
      switch event.kind {
      case .storeFailed: first = "the store failed"
      // As what is lost is told, so that the test ends where it is.
      case .failed, .gaveUp, .endsLost: first = "\(event.kind)"
      default: break
      }
    }
    try #require(first == "the store failed")
    failing.repair()
    // It is tried again after a while, which has to pass until everything is written.
    async let isIdle: Void = {
      await bench.center.jobs.idle()
      bench.probe.note("idle")
    }()
    try await bench.passTime { bench.probe.notes.contains("idle") }
    await isIdle
    // Finished, and not kept: otherwise they would be running still.
    #expect(try await bench.states() == [])
    #expect(bench.probe.notes.sorted() == ["a", "b", "charged", "idle"])
    await bench.center.terminate()
  }

  @Test func `what no trying again helps against is not told as something that passes`() async throws {
    let fixture = try SQLiteFixture()
    // SQLite opens none whose path is longer than 512 bytes.
    let deep = (0..<3).reduce(fixture.folder) { folder, _ in folder.appending(path: String(repeating: "x", count: 200))
    }
    try FileManager.default.createDirectory(at: deep, withIntermediateDirectories: true)
    let error = await #expect(throws: JobStoreError.self) {
      try await SQLiteStore(at: deep.appending(path: "jobs.sqlite")).open(StoreEnvironment(owner: "test"))
    }
    #expect(error?.reason == .other)
    #expect(error?.isTransient == false)
    #expect(error?.description.contains(deep.path) == true)
    let long = fixture.folder.appending(path: String(repeating: "x", count: 300))
    let other = await #expect(throws: JobStoreError.self) {
      try await SQLiteStore(at: long).open(StoreEnvironment(owner: "test"))
    }
    #expect(other?.reason == .other)
  }

  @Test(
    arguments: [
      (EIO, .inputOutput), (ENAMETOOLONG, .other), (ELOOP, .other), (EINVAL, .other), (EISDIR, .other),
      (EMFILE, .inputOutput), (ENFILE, .inputOutput), (ENOMEM, .inputOutput), (ENOLCK, .inputOutput),
      (ESTALE, .inputOutput), (ENOSPC, .full), (EDQUOT, .full), (EACCES, .readOnly), (ENOENT, .missing),
    ] as [(Int32, JobStoreError.Reason)])
  func `what the system says about the lock of an owner is told as what it is`(
    code: Int32, reason: JobStoreError.Reason
  ) {
    let error = JobStoreError(code: code, path: "jobs.sqlite-owners", store: "jobs.sqlite")
    #expect(error.reason == reason)
    #expect(error.isTransient == (reason != .other))
    #expect(error.detail == "jobs.sqlite-owners: \(String(cString: strerror(code)))")
  }

  @Test func `a file that cannot be opened for a moment, as no more may be open, is told as something that passes`()
    throws
  {
    let fixture = try SQLiteFixture()
    let file = fixture.file.path
    #expect(FileManager.default.createFile(atPath: file, contents: nil))
    let error = JobStoreError(DatabaseError(resultCode: .SQLITE_CANTOPEN), path: file)
    #expect(error.reason == .inputOutput)
    #expect(error.isTransient)
  }

  /// Takes a folder away in the moment in which something has been written in it.
  private final class Remover: FileObserver {
    private let folders: (there: URL, away: URL)
    private let isArmed = Mutex(false)

    init(_ there: URL, _ away: URL) {
      folders = (there, away)
      FaultyFiles.observe(there, self)
    }

    deinit { FaultyFiles.forget(self) }

    func arm() { isArmed.withLock { $0 = true } }

    func bringBack() throws { try FileManager.default.moveItem(at: folders.away, to: folders.there) }

    func will(_ operation: FileOperation, _ path: String) -> FileVerdict { .go }

    func did(_ operation: FileOperation, _ path: String) {
      guard case .sync = operation, path.hasSuffix("-wal") else { return }
      let mustRemove = isArmed.withLock { isArmed in
        defer { isArmed = false }
        return isArmed
      }
      if mustRemove { try! FileManager.default.moveItem(at: folders.there, to: folders.away) }
    }
  }

  /// Two stores that hear nothing of each other, in a folder that can be taken away.
  private struct Pair {
    let fixture: SQLiteFixture
    let remover: Remover
    let store: SQLiteStore
    let other: SQLiteStore

    init() throws {
      fixture = try SQLiteFixture(isFast: true)
      let inner = fixture.folder.appending(path: "inner")
      try FileManager.default.createDirectory(at: inner, withIntermediateDirectories: true)
      remover = Remover(inner, fixture.folder.appending(path: "away"))
      let deaf = SQLiteHearing(asksSystem: false, interval: .seconds(100_000))
      let file = inner.appending(path: "jobs.sqlite")
      store = SQLiteStore(at: file, patience: 10, hearing: deaf)
      other = SQLiteStore(at: file, patience: 10, hearing: deaf)
    }

    /// The folder goes in the moment in which what is asked for has been written, and comes back.
    func lose(_ body: () async throws -> Void) async throws {
      remover.arm()
      let error = await #expect(throws: JobStoreError.self) { try await body() }
      #expect(error?.reason == .missing)
      try remover.bringBack()
    }
  }

  @Test func `what nobody heard because the folder was away for a moment is said when it is back`() async throws {
    let pair = try Pair()
    let (store, other) = (pair.store, pair.other)
    _ = try await store.open(StoreEnvironment(owner: "test"))
    _ = try await other.open(StoreEnvironment(owner: "other"))
    let ids = try await store.enqueue(Array(repeating: Self.new, count: 4)).map(\.id)
    let first = try await store.exchange(JobExchange(claims: [Self.claim])).claimed
    #expect(first.map(\.id) == [ids[0], ids[1]])
    _ = try await other.change(JobSelection(ids: [ids[1]]), .cancel)
    let exchange = JobExchange(
      ends: [(AttemptKey(job: ids[0], token: first[0].token), .succeeded(result: nil))], claims: [Self.claim])
    try await pair.lose { _ = try await store.exchange(exchange) }
    // It has happened.
    let states = try await other.jobs(.all, after: nil, limit: 9).map(\.state)
    #expect(states == [.finished, .cancelled, .running, .running])
    let answer = try await store.exchange(exchange)
    #expect(answer.ends == [true])
    #expect(answer.toCancel == [first[1].token])
    #expect(answer.claimed.map(\.id) == [ids[2], ids[3]])
    #expect(answer.claimed.map(\.attempt) == [1, 1])
    let ends = answer.claimed.map { job -> (AttemptKey, JobExchange.End) in
      (AttemptKey(job: job.id, token: job.token), .succeeded(result: nil))
    }
    let last = try await store.exchange(JobExchange(ends: ends))
    #expect(last.ends == [true, true])
    #expect(last.toCancel == [], "said once")
    await other.close()
    await store.close()
  }

  @Test(arguments: [JobChange.cancel, .delete, nil])
  func `an attempt that was cancelled while the folder was away is told when it is back`(
    change: JobChange?
  ) async throws {
    let pair = try Pair()
    let store = pair.store
    _ = try await store.open(StoreEnvironment(owner: "test"))
    var new = Self.new
    new.unique = UniqueKey("key", .replace)
    _ = try await store.enqueue([new])
    let running = try #require(try await store.exchange(JobExchange(claims: [Self.claim])).claimed.first)
    try await pair.lose {
      if let change {
        _ = try await store.change(JobSelection(ids: [running.id]), change)
      } else {
        _ = try await store.enqueue([new])
      }
    }
    #expect(try await store.exchange(JobExchange()).toCancel == [running.token])
    #expect(try await store.exchange(JobExchange()).toCancel == [], "said once")
    await store.close()
  }

  @Test(.timeLimit(.minutes(5)))
  func `a body whose job was cancelled while the folder was away hears of it without anybody asking again`()
    async throws
  {
    let pair = try Pair()
    let bench = try JobBench(Work.self, wrapping: { _ in pair.store })
    let gate = Gate()
    bench.probe.on("a", bench.stubborn(gate))
    let id = try await bench.center.enqueue(Work("a"))
    bench.center.start()
    await bench.probe.notes(1)
    try await pair.lose { _ = try await bench.center.jobs.cancel(id) }
    try await bench.passTime { bench.probe.notes.count >= 2 }
    #expect(bench.probe.notes == ["a", "cancelled"])
    gate.open()
    await bench.center.terminate()
  }

  @Test(.timeLimit(.minutes(5)))
  func `a job that was enqueued while the folder was away runs when it is back, without anybody asking again`()
    async throws
  {
    let pair = try Pair()
    let bench = try JobBench(Work.self, wrapping: { _ in pair.store })
    await bench.run()
    try await pair.lose { try await bench.center.enqueue(Work("a")) }
    try await bench.passTime { !bench.probe.notes.isEmpty }
    #expect(bench.probe.notes == ["a"])
    await bench.center.terminate()
  }

  @Test
  func `what could not be flushed is there where the process dies before anything else is written, and only then`()
    async throws
  {
    let fixture = try SQLiteFixture(isFast: true)
    let failing = FailingDisk(fixture.folder)
    let store = SQLiteStore(at: fixture.file)
    _ = try await store.open(StoreEnvironment(owner: "test"))
    let id = try await store.enqueue([Self.new])[0].id
    /// What is found where the process dies now.
    func left() async throws -> [JobID] {
      let copy = try SQLiteFixture(isFast: true)
      for end in ["", "-wal"] {
        try FileManager.default.copyItem(atPath: fixture.file.path + end, toPath: copy.file.path + end)
      }
      let store = SQLiteStore(at: copy.file)
      _ = try await store.open(StoreEnvironment(owner: "judge"))
      let jobs = try await store.jobs(.all, after: nil, limit: 9)
      await store.close()
      return jobs.map(\.id)
    }
    // SQLITE_IOERR_FSYNC.
    failing.fail(.init(code: 10 | 4 << 8, isFlush: true, place: 1))
    let error = await #expect(throws: JobStoreError.self) { try await store.enqueue([Self.new, Self.new]) }
    #expect(error?.reason == .inputOutput)
    failing.repair()
    #expect(try await store.jobs(.all, after: nil, limit: 9).map(\.id) == [id])
    #expect(try await left().count == 3)
    try await store.setPaused(true, .queue("default"), by: "test")
    #expect(try await left() == [id])
    await store.close()
  }

  @Test func `what others have done is told also where it was seen by a commit in whose moment the folder was away`()
    async throws
  {
    let pair = try Pair()
    let (store, other) = (pair.store, pair.other)
    var changes = store.changes().makeAsyncIterator()
    _ = try await store.open(StoreEnvironment(owner: "test"))
    _ = try await other.open(StoreEnvironment(owner: "other"))
    func rest(_ store: SQLiteStore) async { while store.isBusy { await Task.yield() } }
    await rest(store)
    await rest(other)
    // Of the opening it is told once.
    _ = try await store.enqueue([Self.new])
    await rest(store)
    #expect(await changes.next() != nil)
    _ = try await other.enqueue([Self.new])
    await rest(other)
    try await pair.lose { _ = try await store.enqueue([Self.new]) }
    await rest(store)
    // Then there are no more, but what was told before is still said.
    await store.close()
    #expect(await changes.next() != nil)
    await other.close()
  }

  @Test func `an opening in whose moment the folder went tells which jobs it has given back`() async throws {
    let pair = try Pair()
    let (store, other, remover) = (pair.store, pair.other, pair.remover)
    _ = try await other.open(StoreEnvironment(owner: "dead"))
    var new = Self.new
    new.maximumAttempts = 1
    let id = try await other.enqueue([new])[0].id
    #expect(try await other.exchange(JobExchange(claims: [Self.claim])).claimed.map(\.id) == [id])
    other.die()
    let isFirst = Mutex(true)
    // Asked for between the two transactions of an opening: the second one gives jobs back.
    let environment = StoreEnvironment(
      now: {
        let mustArm = isFirst.withLock { isFirst in
          defer { isFirst = false }
          return isFirst
        }
        if mustArm { remover.arm() }
        return Date()
      }, owner: "test")
    let rescued = try await store.open(environment).rescued
    #expect(rescued.map(\.id) == [id])
    #expect(rescued.first?.gaveUp?.attempts == 1)
    let error = await #expect(throws: JobStoreError.self) { try await store.enqueue([Self.new]) }
    #expect(error?.reason == .missing)
    try remover.bringBack()
    #expect(try await store.jobs(.all, after: nil, limit: 9).map(\.state) == [.dead])
    #expect(try await store.enqueue([Self.new])[0].id > id)
    await store.close()
  }

  @Test func `a file that another program holds is told, and work goes on when it lets go`() async throws {
    let fixture = try SQLiteFixture()
    let store = SQLiteStore(at: fixture.file, patience: 0.05)
    _ = try await store.open(StoreEnvironment(owner: "test"))
    let id = try await store.enqueue([Self.new])[0].id
    var configuration = Configuration.patient
    configuration.allowsUnsafeTransactions = true
    let other = try DatabaseQueue(path: fixture.file.path, configuration: configuration)
    try await other.writeWithoutTransaction { try $0.execute(sql: "BEGIN IMMEDIATE") }
    let error = await #expect(throws: JobStoreError.self) { try await store.enqueue([Self.new]) }
    #expect(error?.reason == .locked)
    #expect(error?.isTransient == true)
    #expect(error?.description.contains(fixture.file.path) == true)
    #expect(try await store.jobs(.all, after: nil, limit: 9).map(\.id) == [id], "reading goes on")
    try await other.writeWithoutTransaction { try $0.execute(sql: "ROLLBACK") }
    #expect(try await store.enqueue([Self.new])[0].id > id)
    try other.close()
    await store.close()
  }

  @Test func `a file whose header was overwritten is told, and is as it was when it is repaired`() async throws {
    let fixture = try SQLiteFixture()
    let store = SQLiteStore(at: fixture.file)
    _ = try await store.open(StoreEnvironment(owner: "test"))
    let id = try await store.enqueue([Self.new])[0].id
    await store.close()
    let handle = try FileHandle(forUpdating: fixture.file)
    let header = try #require(try handle.read(upToCount: 100))
    try handle.seek(toOffset: 0)
    try handle.write(contentsOf: Data(repeating: 0xAB, count: 100))
    let error = await #expect(throws: JobStoreError.self) {
      try await SQLiteStore(at: fixture.file).open(StoreEnvironment(owner: "test"))
    }
    #expect(error?.reason == .corrupt)
    #expect(error?.description.contains(fixture.file.path) == true)
    #expect(error?.isTransient == false)
    try handle.seek(toOffset: 0)
    try handle.write(contentsOf: header)
    try handle.close()
    let again = SQLiteStore(at: fixture.file)
    _ = try await again.open(StoreEnvironment(owner: "test"))
    #expect(try await again.jobs(.all, after: nil, limit: 9).map(\.id) == [id])
    await again.close()
  }

  @Test func `a damaged page is told when it is met`() async throws {
    let fixture = try SQLiteFixture()
    let store = SQLiteStore(at: fixture.file)
    _ = try await store.open(StoreEnvironment(owner: "test"))
    _ = try await store.enqueue(Array(repeating: Self.new, count: 50))
    await store.close()
    let handle = try FileHandle(forUpdating: fixture.file)
    let size = try handle.seekToEnd()
    // All but the first page, where the tables are listed.
    try handle.seek(toOffset: 4096)
    try handle.write(contentsOf: Data(repeating: 0xFF, count: Int(size) - 4096))
    try handle.close()
    let error = await #expect(throws: JobStoreError.self) {
      try await SQLiteStore(at: fixture.file).open(StoreEnvironment(owner: "test"))
    }
    #expect(error?.reason == .corrupt)
  }

  /// A center with a file of jobs, whose clocks go on from where those of another one stand.
  private static func bench(_ fixture: SQLiteFixture, _ time: VirtualTime) throws -> JobBench {
    try JobBench(Work.self, wrapping: { _ in SQLiteStore(at: fixture.file) }, time: time)
  }

  @Test(arguments: [nil, .seconds(1)] as [Duration?])
  func `jobs on sound pages are done though others lie on a damaged one, due or ready`(delay: Duration?) async throws {
    let (fixture, time) = (try SQLiteFixture(isFast: true), VirtualTime())
    let first = try Self.bench(fixture, time)
    for number in Int64(1)...100 {
      try await first.center.enqueue(
        Work(DamagedFile.name(number)), EnqueueOptions(start: number == 40 ? delay.map { .after($0) } ?? .now : .now))
    }
    await first.center.terminate()
    let lost = try DamagedFile.damage(fixture.file, around: 40)
    try #require(lost.contains(40))
    let bench = try Self.bench(fixture, time)
    bench.center.start()
    await time.advance(by: .seconds(200), driving: bench.center)
    let sound = (Int64(1)...100).filter { !lost.contains($0) }
    #expect(bench.probe.notes.count == sound.count)
    #expect(Set(bench.probe.notes) == Set(sound.map(DamagedFile.name)))
    // What comes later is done, too.
    try await bench.center.enqueue(Work("later"))
    await time.advance(by: .seconds(1), driving: bench.center)
    #expect(bench.probe.notes.last == "later")
    let status = try #require(bench.center.jobs.stores.first)
    #expect(status.isOpen)
    for words in ["\(lost[0])", fixture.file.path, ".recover"] {
      #expect(status.problem?.contains(words) == true, "\(words)")
    }
    let error = await #expect(throws: JobStoreError.self) {
      try await bench.center.jobs.snapshot(of: JobID(rawValue: 40))
    }
    #expect(error?.reason == .corrupt)
    await bench.center.terminate()
    // Each has run once, and only once.
    let last = try Self.bench(fixture, time)
    last.center.start()
    await time.advance(by: .seconds(60), driving: last.center)
    #expect(last.probe.notes == [])
    await last.center.terminate()
  }

  @Test func `why a job waits that was passed by as damaged is said also when the file has been mended`() async throws {
    let (fixture, time) = (try SQLiteFixture(isFast: true), VirtualTime())
    func setExhaustion(_ number: Int) throws {
      let database = try DatabaseQueue(path: fixture.file.path)
      try database.write { try $0.execute(sql: "UPDATE taskkit_job SET exhaustion = ?", arguments: [number]) }
      try database.close()
    }
    let first = try Self.bench(fixture, time)
    let id = try await first.center.enqueue(Work("a"), EnqueueOptions(start: .after(.seconds(60))))
    await first.center.terminate()
    try setExhaustion(-1)
    let bench = try Self.bench(fixture, time)
    bench.center.start()
    await time.advance(by: .seconds(120), driving: bench.center)
    try setExhaustion(0)
    #expect(bench.probe.notes == [])
    let why = try await bench.center.jobs.why(id)
    #expect(why.contains("this process could not read what belongs to it, and passes it by until it starts again"))
    #expect(!why.contains("it is next"))
    await bench.center.terminate()
    let last = try Self.bench(fixture, time)
    await last.run()
    #expect(last.probe.notes == ["a"])
    await last.center.terminate()
  }

  @Test func `a file opens though jobs of a process that died lie on a damaged page, and gives back the others`()
    async throws
  {
    let fixture = try SQLiteFixture(isFast: true)
    let store = SQLiteStore(at: fixture.file)
    _ = try await store.open(StoreEnvironment(owner: "test"))
    let new = (Int64(1)...100).map { number in
      NewJob(kind: "Upload", payload: JobPayload(bytes: Data(DamagedFile.name(number).utf8)), maximumAttempts: nil)
    }
    _ = try await store.enqueue(new)
    let all = JobExchange.Claim(queue: "default", limit: 60, kinds: [.init("Upload", limit: 60)])
    #expect(try await store.exchange(JobExchange(claims: [all])).claimed.count == 60)
    store.die()
    let database = try DatabaseQueue(path: fixture.file.path, configuration: .patient)
    try await database.writeWithoutTransaction { _ = try $0.checkpoint(.truncate) }
    try database.close()
    let lost = try DamagedFile.damage(fixture.file, around: 40)
    try #require(lost.contains(40))
    let next = SQLiteStore(at: fixture.file)
    let rescued = try await next.open(StoreEnvironment(owner: "next")).rescued
    #expect(rescued.map(\.id.rawValue) == (1...60).filter { !lost.contains($0) })
    // And what others do goes on.
    let claimed = try await next.exchange(JobExchange(claims: [all])).claimed
    #expect(claimed.count == 60)
    let ends = claimed.map { (AttemptKey(job: $0.id, token: $0.token), JobExchange.End.succeeded(result: nil)) }
    #expect(try await next.exchange(JobExchange(ends: ends)).ends.allSatisfy { $0 })
    #expect(try await next.enqueue([Self.new])[0].id.rawValue == 101)
    _ = try await next.sweep(limit: 100)
    await next.close()
  }

  @Test func `the durability is what was asked for after opening, and after relaxed commits`() async throws {
    let fixture = try SQLiteFixture()
    let disk = RecordedDisk(fixture.folder)
    let store = SQLiteStore(at: fixture.file)
    _ = try await store.open(StoreEnvironment(owner: "test"))
    func flushes(_ durability: JobDurability) async throws -> Int {
      let before = disk.flushes
      var new = Self.new
      new.durability = durability
      _ = try await store.enqueue([new])
      return disk.flushes - before
    }
    #expect(try await flushes(.full) == 1)
    #expect(try await flushes(.relaxed) == 0)
    #expect(try await flushes(.full) == 1)
    // One that fails has changed what the connection does all the same.
    var invalid = Self.new
    invalid.kind = ""
    invalid.durability = .relaxed
    await #expect(throws: JobStoreError.self) { try await store.enqueue([invalid]) }
    #expect(try await flushes(.full) == 1)
    await store.close()
  }

  @Test func `what ends other jobs or gives them back is flushed, also where what was asked for is not`() async throws {
    let fixture = try SQLiteFixture()
    let disk = RecordedDisk(fixture.folder)
    let date = Mutex(Date(timeIntervalSince1970: 1_767_225_600))
    let now: @Sendable () -> Date = { date.withLock { $0 } }
    func open(_ owner: String) async throws -> SQLiteStore {
      // The log is not moved meanwhile, which is flushed as well.
      let store = SQLiteStore(at: fixture.file, patience: 10, hearing: SQLiteHearing(interval: .seconds(1_000_000)))
      _ = try await store.open(StoreEnvironment(now: now, owner: owner))
      return store
    }
    let (store, dying) = (try await open("test"), try await open("dying"))
    var (full, relaxed) = (Self.new, Self.new)
    full.unique = UniqueKey("key")
    relaxed.unique = UniqueKey("key", .replace)
    relaxed.durability = .relaxed
    let replaced = try await store.enqueue([full])[0].id
    var before = disk.flushes
    #expect(try await store.enqueue([relaxed])[0].outcome == .replaced([replaced]))
    #expect(disk.flushes - before == 1)
    _ = try await store.enqueue([Self.new])
    let one = JobExchange(claims: [.init(queue: "default", limit: 1, kinds: [.init("Upload", limit: 1)])])
    let held = try await store.exchange(one).claimed
    let lost = try await dying.exchange(one).claimed.map(\.id)
    let note = JobExchange.Note.progress(JobProgress(completed: 1))
    let progress = JobExchange(notes: held.map { (AttemptKey(job: $0.id, token: $0.token), note) })
    before = disk.flushes
    #expect(try await store.exchange(progress).rescued.isEmpty)
    #expect(disk.flushes == before)
    dying.die()
    date.withLock { $0 += 60 }
    #expect(try await store.exchange(progress).rescued.map(\.id) == lost)
    #expect(disk.flushes - before == 1)
    await store.close()
  }

  @Test func `what an owner could not give back that left in good order is flushed when another one gives it back`()
    async throws
  {
    let fixture = try SQLiteFixture()
    let date = Mutex(Date(timeIntervalSince1970: 1_767_225_600))
    let now: @Sendable () -> Date = { date.withLock { $0 } }
    func open(_ owner: String) async throws -> SQLiteStore {
      // The log is not moved meanwhile, which is flushed as well.
      let store = SQLiteStore(at: fixture.file, patience: 10, hearing: SQLiteHearing(interval: .seconds(1_000_000)))
      _ = try await store.open(StoreEnvironment(now: now, owner: owner))
      return store
    }
    // Who observes files is the latest that was there when they were opened.
    let failing = FailingDisk(fixture.folder)
    let leaving = try await open("leaving")
    let disk = RecordedDisk(fixture.folder)
    let store = try await open("test")
    _ = try await store.enqueue([Self.new, Self.new])
    let one = JobExchange(claims: [.init(queue: "default", limit: 1, kinds: [.init("Upload", limit: 1)])])
    let held = try await store.exchange(one).claimed
    let left = try await leaving.exchange(one).claimed.map(\.id)
    #expect((held.count, left.count) == (1, 1))
    let note = JobExchange.Note.progress(JobProgress(completed: 1))
    let progress = JobExchange(notes: held.map { (AttemptKey(job: $0.id, token: $0.token), note) })
    failing.fail(.init(code: 13, place: 1))
    await leaving.close()
    #expect(failing.repair())
    date.withLock { $0 += 60 }
    let before = disk.flushes
    #expect(try await store.exchange(progress).rescued.isEmpty)
    #expect(disk.flushes - before == 1)
    #expect(try await store.jobs(JobSelection(ids: left), after: nil, limit: 9).map(\.state) == [.ready])
    await store.close()
  }
}
#endif
