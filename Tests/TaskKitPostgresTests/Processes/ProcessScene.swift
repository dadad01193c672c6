#if os(Linux)
import Foundation
import ProcessTesting
import Synchronization
import TaskKitDurable
@testable import TaskKitPostgres
import Testing

/// A schema on a server, what processes do with it, and how often one was killed.
final class ProcessScene: Sendable {
  let fixture: PostgresFixture
  /// Where the processes find the server.
  private let environment: [String: String]
  private let folder: URL
  private let state = Mutex((processes: 0, expiries: 0, killed: [String]()))

  /// - Parameters:
  ///   - fixture: of the server itself.
  ///   - pooler: the address of a pooler that stands before it.
  ///   - lease: in seconds; longer than any test, unless something else is said.
  init(_ fixture: PostgresFixture, pooler: String? = nil, lease: Int = 600) throws {
    self.fixture = fixture
    folder = FileManager.default.temporaryDirectory.appending(path: "taskkit-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    var environment = [
      "PROBE_SERVER": pooler ?? fixture.address, "PROBE_SCHEMA": fixture.schema, "PROBE_LEASE": "\(lease)",
      "PROBE_HISTORY": folder.appending(path: "history").path,
    ]
    if pooler != nil { environment["PROBE_IS_POOLED"] = "1" }
    self.environment = environment
  }

  deinit { try? FileManager.default.removeItem(at: folder) }

  var kills: Int { state.withLock { $0.killed.count } }
  /// How often a process that lived has lost its lease.
  var expiries: Int { state.withLock { $0.expiries } }

  private func note(of run: String, _ words: Any...) throws {
    try HistoryFile(at: environment["PROBE_HISTORY"]!, run: run).note(as: run, words)
  }

  // MARK: Processes

  func start(_ more: [String: String] = [:]) throws -> ProbeProcess {
    let number = state.withLock { state in
      state.processes += 1
      return state.processes
    }
    return try ProbeProcess(run: "r\(number)", environment.merging(more) { $1 })
  }

  func kill(_ process: borrowing ProbeProcess) throws {
    try note(of: process.run, "killed")
    process.kill()
  }

  /// Waits for the end of a process.
  ///
  /// - Returns: whether it was killed; it must have ended well otherwise.
  @discardableResult
  func end(_ process: consuming ProbeProcess) -> Bool {
    let run = process.run
    let end = process.end()
    if end == .signal(SIGKILL) {
      state.withLock { $0.killed.append(run) }
      return true
    }
    #expect(end == .exit(0), "a process did not end as it should")
    return false
  }

  /// Lets a process work until it dies in a round trip of the connection that it writes by.
  ///
  /// - Returns: false where it has come to its end before.
  func run(
    _ more: [String: String], dyingIn trip: Int, _ moment: FaultyProxy.Killing.Moment
  ) async throws -> Bool {
    let victim = Victim()
    let proxy = try FaultyProxy(
      to: fixture.address,
      killing: .init(
        trip: trip, moment: moment, stop: { victim.stop() },
        kill: { [environment] in victim.kill(notingIn: environment["PROBE_HISTORY"]!) }))
    defer { proxy.end() }
    let isKilled = try await onThread {
      let process = try self.start(more.merging(["PROBE_SERVER": proxy.address]) { $1 })
      victim.begin(process)
      return self.end(process)
    }
    try await bury()
    return isKilled
  }

  // MARK: Leases

  /// Lets the leases of all processes pass that are dead, also where the server is about to do what one of them has sent
  /// before its death, which would prolong its lease.
  ///
  /// - Returns: how many of them hold something still.
  @discardableResult
  func bury() async throws -> Int {
    let killed = state.withLock { $0.killed }
    let connection = try await PostgresConnection.open(fixture.address)
    var count = 0
    // One after the other: who held the rows of several could wait for somebody who rescues one of them, and he for him.
    for name in killed {
      count += try await connection.query(
        "UPDATE \(fixture.quoted).taskkit_owner SET lease_until = 0, lease = -1 WHERE name = $1 RETURNING id",
        [.text(name)]
      ).count
    }
    await connection.end()
    return count
  }

  /// Lets the lease of a process pass that lives.
  func expire(_ run: String) async throws {
    let connection = try await PostgresConnection.open(fixture.address)
    try await connection.inTransaction {
      let owners = try await connection.query(fixture.expiry(of: "name = $1"), [.text(run)])
      guard !owners.isEmpty else { return }
      // Before anybody sees it: until the transaction ends the owner's row is locked, so it is given nothing meanwhile.
      try await noteExpiry(of: run)
      state.withLock { $0.expiries += 1 }
    }
    await connection.end()
  }

  /// Notes that what a process has been given may be taken from it.
  func noteExpiry(of run: String) async throws {
    let tokens = try await fixture.query("SELECT last_value FROM \(fixture.quoted).taskkit_token")
    try note(of: run, "expired", tokens.first?.integer(0) ?? 0)
  }

  // MARK: The end

  /// Lets processes work that nobody kills, until nothing is left that could: poisonous jobs kill some.
  func workOff() async throws {
    for _ in 0..<1000 {
      try await bury()
      let isKilled = try await onThread { self.end(try self.start()) }
      if try await bury() == 0, !isKilled { return }
    }
    Issue.record("the jobs do not come to an end")
  }

  /// Holds the history and the server against the rules.
  func check(_ name: String) async throws {
    let store = PostgresStore(at: fixture.address, schema: fixture.schema)
    _ = try await store.open(StoreEnvironment(owner: "judge"))
    let jobs = try await store.jobs(.all, after: nil, limit: .max)
    let counts = try await store.counts()
    await store.close()
    let expected = Dictionary(grouping: jobs) { [$0.queue, $0.kind, $0.state.rawValue] }.map { key, jobs in
      JobCount(queue: key[0], kind: key[1], state: jobs[0].state, count: jobs.count)
    }
    #expect(Set(counts) == Set(expected), "the counters are not what is there")
    let lines = try String(contentsOfFile: environment["PROBE_HISTORY"]!, encoding: .utf8)
      .split(separator: "\n").map(String.init)
    let states = jobs.map { "- state \($0.id) \($0.kind) \($0.state.rawValue) \($0.attempts) \($0.crashes)" }
    let violations = HistoryChecker.violations(in: lines + states)
    guard !violations.isEmpty else { return }
    // What concerns the jobs that something is wrong with.
    let wrong = Set(violations.flatMap(\.jobs).map { "\($0)" })
    let concerned = (lines + states).filter { line in
      let words = line.split(separator: " ")
      return words.count < 3 || words[1] == "expired" || wrong.contains(String(words[2]))
    }
    Issue.record("\(name): \(violations)\n\(concerned.joined(separator: "\n"))")
  }
}

/// A process that is killed by who may know of it before it has been begun.
private final class Victim: Sendable {
  private let process = Mutex<(run: String, identifier: pid_t)?>(nil)
  private let begun = DispatchSemaphore(value: 0)

  func begin(_ process: borrowing ProbeProcess) {
    let (run, identifier) = (process.run, process.identifier)
    self.process.withLock { $0 = (run, identifier) }
    begun.signal()
  }

  private var known: (run: String, identifier: pid_t) {
    begun.wait()
    begun.signal()
    return process.withLock { $0! }
  }

  /// Returns when it does nothing more.
  func stop() {
    let identifier = known.identifier
    Glibc.kill(identifier, SIGSTOP)
    var status: Int32 = 0
    while waitpid(identifier, &status, WUNTRACED) < 0, errno == EINTR {}
  }

  func kill(notingIn history: String) {
    let (run, identifier) = known
    do { try HistoryFile(at: history, run: run).note("killed") } catch {
      Issue.record("the history cannot be written: \(error)")
    }
    Glibc.kill(identifier, SIGKILL)
  }
}
#endif
