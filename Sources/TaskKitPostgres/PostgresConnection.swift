#if Postgres
import CPostgres
import Dispatch
import Foundation
import Synchronization

/// A statement, and what it gets.
package struct PostgresStatement: Sendable {
  let sql: String
  let values: [PostgresValue]

  package init(_ sql: String, _ values: [PostgresValue] = []) { (self.sql, self.values) = (sql, values) }

  /// How many bytes go to the server, but for a few.
  var size: Int { values.reduce(sql.utf8.count) { $0 + $1.size } }
}

/// A connection to a server, for one caller at a time. No thread of its own waits for the server: ``SocketWait`` tells when to go
/// on, on Linux by one thread for all connections of the process. Only while it connects may a thread be held, where the name of
/// a host is looked up.
///
/// Nothing of a statement stays in the session, so poolers that give each transaction another one do no harm. What has been
/// sent is waited for even if the calling task is cancelled: only so does anybody learn what has become of it.
package actor PostgresConnection {
  private struct Handle: ~Copyable {
    let pointer: OpaquePointer
    deinit { PQfinish(pointer) }
  }

  /// A connection of the system library, on its way between the queue that a call was made on and its owner.
  // Only one of the two uses it at a time: the owner waits for the queue.
  private struct Sent: @unchecked Sendable { let pointer: OpaquePointer? }

  private let handle: Handle
  /// The most bytes of one statement.
  private let largestStatement: Int
  private let wait = SocketWait()
  package private(set) var isBroken = false

  // MARK: Connecting

  /// Connects to the first server of the address that lets it in; of a host with several addresses each one counts as a server.
  /// One that says no is passed by like one that says nothing.
  /// One that says nothing is given up after the `connect_timeout` of the address, or of the environment; 10 s where none is named.
  ///
  /// - Parameter largestStatement: the most bytes of one statement. The server ends connections that send it 1 GiB.
  /// - Throws: ``PostgresFailure/refused(_:)``, or ``PostgresFailure/server(code:message:)`` for an address that means
  ///   nothing, and where all servers say no: what the first one said.
  package static func open(
    _ address: String, largestStatement: Int = 1_000_000_000
  ) async throws -> PostgresConnection {
    let address = try await apart { Result<PostgresAddress, any Error> { try PostgresAddress(address) } }.get()
    return try await open(address, largestStatement: largestStatement)
  }

  static func open(
    _ address: PostgresAddress, largestStatement: Int = 1_000_000_000
  ) async throws -> PostgresConnection {
    var refusals: [String] = []
    var noes: [PostgresFailure] = []
    for target in address.targets {
      for part in await apart({ address.parts(of: target) }) {
        var reason: String
        do { return try await open(address, part, largestStatement) } catch PostgresFailure.refused(let text) {
          reason = text
        } catch PostgresFailure.server(let code, let message) {
          noes.append(.server(code: code, message: message))
          reason = message
        }
        refusals.append(part.name.map { "\($0): \(reason)" } ?? reason)
      }
    }
    // One that could not be reached may let it in.
    if noes.count == refusals.count, let no = noes.first { throw no }
    throw PostgresFailure.refused(refusals.joined(separator: "; "))
  }

  private static func open(
    _ address: PostgresAddress, _ target: PostgresAddress.Target, _ largestStatement: Int
  ) async throws -> PostgresConnection {
    let sent = await apart { Sent(pointer: address.begin(target)) }
    guard let pointer = sent.pointer else { throw PostgresFailure.refused("no memory is left") }
    let connection = PostgresConnection(Sent(pointer: pointer), largestStatement)
    try await connection.connect(within: target.patience)
    return connection
  }

  private init(_ sent: Sent, _ largestStatement: Int) {
    handle = Handle(pointer: sent.pointer!)
    self.largestStatement = largestStatement
  }

  /// Calls something that may look something up, for example a host, which holds a thread.
  private static func apart<Value: Sendable>(_ body: @escaping @Sendable () -> Value) async -> Value {
    await withCheckedContinuation { continuation in
      DispatchQueue.global().async { continuation.resume(returning: body()) }
    }
  }

  private func connect(within time: Duration?) async throws {
    let end = time.map { ContinuousClock.now + $0 }
    var next = PGRES_POLLING_WRITING
    // With codes: else there are only texts, in the server's language.
    _ = PQsetErrorVerbosity(handle.pointer, PQERRORS_VERBOSE)
    guard PQstatus(handle.pointer) != CONNECTION_BAD else { throw refused() }
    while next != PGRES_POLLING_OK {
      guard next != PGRES_POLLING_FAILED else { throw refused() }
      let wish = next == PGRES_POLLING_WRITING ? SocketWait.Wish.writing : .reading
      guard await wait.ready(PQsocket(handle.pointer), wish, within: end.map { $0 - .now }) else {
        throw refused(time.map { "it said nothing for \($0)" })
      }
      let sent = Sent(pointer: handle.pointer)
      next = await Self.apart { PQconnectPoll(sent.pointer) }
    }
    _ = PQsetErrorVerbosity(handle.pointer, PQERRORS_DEFAULT)
    PQsetnonblocking(handle.pointer, 1)
    // Notices are for people who type.
    _ = PQsetNoticeProcessor(handle.pointer, { _, _ in }, nil)
    guard PQserverVersion(handle.pointer) >= 130_000 else {
      throw PostgresFailure.server(
        code: "TK002", message: "the server is older than PostgreSQL 13: \(PQserverVersion(handle.pointer))")
    }
  }

  private func refused(_ text: String? = nil) -> PostgresFailure {
    isBroken = true
    if let text { return .refused(text) }
    let (code, text) = PostgresRefusal.read(message)
    // That does not pass by itself: no such role, a wrong password, none at all, no such database.
    if PQconnectionNeedsPassword(handle.pointer) == 1 { return .server(code: "28P01", message: text) }
    if let code, code.hasPrefix("28") || code == "3D000" { return .server(code: code, message: text) }
    // Nor does it that the database lets nobody in, or not this role, or that an option of the address is none. Of a statement the
    // same codes would mean something else.
    if let code, ["42501", "55000", "42704", "22023", "42601"].contains(code) {
      return .server(code: "28000", message: text)
    }
    return .refused(text)
  }

  private func lost(_ text: String? = nil) -> PostgresFailure {
    isBroken = true
    return .lost(text ?? (message.isEmpty ? "the connection has ended" : message))
  }

  /// What the library says, without the line's end.
  private var message: String {
    String(cString: PQerrorMessage(handle.pointer)).trimmingCharacters(in: .whitespacesAndNewlines)
  }

  // MARK: Statements

  /// Does several statements of one text that get nothing and give nothing.
  package func run(_ sql: String) async throws {
    guard !isBroken else { throw PostgresFailure.refused("the connection is broken") }
    guard PQsendQuery(handle.pointer, sql) == 1 else { throw lost() }
    try await flush()
    _ = try await outcome().get()
  }

  /// Does something in a transaction, which is taken back where that throws.
  package func inTransaction<Value: Sendable>(_ body: () async throws -> Value) async throws -> Value {
    try await run("BEGIN")
    do {
      let value = try await body()
      try await run("COMMIT")
      return value
    } catch {
      // A connection that is broken has rolled back by itself.
      try? await run("ROLLBACK")
      throw error
    }
  }

  /// Does one statement.
  package func query(_ sql: String, _ values: [PostgresValue] = []) async throws -> [PostgresRow] {
    try await pipeline([PostgresStatement(sql, values)])[0].get()
  }

  /// Does statements in one transaction and one round trip.
  ///
  /// - Returns: what each gave.
  /// - Throws: where one fails, what that one says.
  package func query(_ statements: [PostgresStatement]) async throws -> [[PostgresRow]] {
    let outcomes = try await pipeline(statements)
    for case .failure(let failure) in outcomes {
      // It is told by the one that failed.
      if case .undone = failure { continue }
      throw failure
    }
    return try outcomes.map { try $0.get() }
  }

  /// Does statements in one transaction and one round trip: all of them are sent before any answer is waited for.
  ///
  /// - Returns: what each gave. Where one fails, that one has the server's error, and all others are
  ///   ``PostgresFailure/undone``; where their commit fails, each has the error of that.
  /// - Throws: ``PostgresFailure/lost(_:)`` and ``PostgresFailure/refused(_:)``, which concern all of them; and the error 54000
  ///   where one is larger than the server takes. Then nothing was sent.
  package func pipeline(_ statements: [PostgresStatement]) async throws -> [Result<[PostgresRow], PostgresFailure>] {
    guard !isBroken else { throw PostgresFailure.refused("the connection is broken") }
    // Who sends it all the same loses the connection, and nobody could tell that from a server that has died.
    for size in statements.map(\.size) where size > largestStatement {
      throw PostgresFailure.server(
        code: "54000",
        message: "a statement has \(size) bytes, and the server takes \(largestStatement) at most; write less at once")
    }
    guard PQenterPipelineMode(handle.pointer) == 1 else { throw lost() }
    for statement in statements { guard send(statement) else { throw lost() } }
    guard PQpipelineSync(handle.pointer) == 1 else { throw lost() }
    try await flush()
    var outcomes: [Result<[PostgresRow], PostgresFailure>] = []
    for _ in statements { outcomes.append(try await outcome()) }
    // The commit comes after what all of them have said.
    let end = try await commit()
    guard PQexitPipelineMode(handle.pointer) == 1 else { throw lost() }
    if case .failure = end { return outcomes.map { _ in end } }
    let isUndone = outcomes.contains { if case .failure = $0 { true } else { false } }
    return isUndone ? outcomes.map { if case .success = $0 { .failure(.undone) } else { $0 } } : outcomes
  }

  private func send(_ statement: PostgresStatement) -> Bool {
    let encoded = statement.values.map(\.bytes)
    let types = statement.values.map(\.type)
    let lengths = encoded.map { Int32($0?.count ?? 0) }
    let formats = encoded.map { _ in Int32(1) }
    // One block for all values, so that there is one lifetime to care for. The empty value needs an address, too.
    let block = encoded.reduce(into: [UInt8]()) { $0 += $1 ?? [] } + [0]
    return block.withUnsafeBufferPointer { block in
      block.withMemoryRebound(to: CChar.self) { block in
        var offset = 0
        let pointers: [UnsafePointer<CChar>?] = encoded.map { bytes in
          guard let bytes else { return nil }
          defer { offset += bytes.count }
          return block.baseAddress! + offset
        }
        return PQsendQueryParams(
          handle.pointer, statement.sql, Int32(encoded.count), types, pointers, lengths, formats, 1) == 1
      }
    }
  }

  private func flush() async throws {
    while true {
      let left = PQflush(handle.pointer)
      if left == 0 { return }
      // The server may have to get rid of an answer before it takes more.
      guard left == 1, await wait.ready(PQsocket(handle.pointer), .both), PQconsumeInput(handle.pointer) == 1 else {
        throw lost()
      }
    }
  }

  /// The next thing that the server says; nil between statements.
  private func next() async throws -> OpaquePointer? {
    while PQisBusy(handle.pointer) == 1 {
      guard await wait.ready(PQsocket(handle.pointer), .reading), PQconsumeInput(handle.pointer) == 1 else {
        throw lost()
      }
    }
    return PQgetResult(handle.pointer)
  }

  /// What one statement gives.
  private func outcome() async throws -> Result<[PostgresRow], PostgresFailure> {
    var outcome = Result<[PostgresRow], PostgresFailure>.success([])
    while let result = try await next() {
      defer { PQclear(result) }
      switch PQresultStatus(result) {
      case PGRES_TUPLES_OK: outcome = .success(Self.rows(of: result))
      case PGRES_COMMAND_OK, PGRES_EMPTY_QUERY: continue
      case PGRES_PIPELINE_ABORTED: outcome = .failure(.undone)
      default: outcome = .failure(try failure(of: result))
      }
    }
    if PQstatus(handle.pointer) == CONNECTION_BAD { throw lost() }
    return outcome
  }

  /// Whether what was sent has been committed.
  private func commit() async throws -> Result<[PostgresRow], PostgresFailure> {
    var outcome = Result<[PostgresRow], PostgresFailure>.success([])
    var gaps = 0
    while gaps < 3 {
      guard let result = try await next() else {
        gaps += 1
        continue
      }
      defer { PQclear(result) }
      if PQresultStatus(result) == PGRES_PIPELINE_SYNC { return outcome }
      outcome = .failure(try failure(of: result))
    }
    throw lost("the server did not say whether it has committed")
  }

  /// - Throws: what ends the connection: then nobody knows whether the transaction has happened.
  private func failure(of result: OpaquePointer) throws -> PostgresFailure {
    func field(_ name: Unicode.Scalar) -> String? {
      PQresultErrorField(result, Int32(name.value)).map { String(cString: $0) }
    }
    guard let code = field("C") else { throw lost() }
    var text = field("M") ?? message
    if let relation = field("t"), !text.contains(relation) { text += " (relation \(relation))" }
    if let hint = field("H") { text += ". \(hint)" }
    if let severity = field("V"), severity == "FATAL" || severity == "PANIC" { throw lost(text) }
    return .server(code: code, message: text)
  }

  private static func rows(of result: OpaquePointer) -> [PostgresRow] {
    let columns = PQnfields(result)
    return (0..<PQntuples(result)).map { row in
      PostgresRow(
        (0..<columns).map { column in
          guard PQgetisnull(result, row, column) == 0 else { return nil }
          return Data(bytes: PQgetvalue(result, row, column), count: Int(PQgetlength(result, row, column)))
        })
    }
  }

  // MARK: Notifications

  /// Waits for notifications, and no longer than the time given.
  ///
  /// - Returns: what came with each; empty when the time has passed.
  func notifications(within time: Duration) async throws -> [String] {
    guard !isBroken else { throw PostgresFailure.refused("the connection is broken") }
    var texts = takeNotifications()
    if texts.isEmpty {
      if await wait.ready(PQsocket(handle.pointer), .reading, within: time), PQconsumeInput(handle.pointer) != 1 {
        throw lost()
      }
      texts = takeNotifications()
    }
    if PQstatus(handle.pointer) == CONNECTION_BAD { throw lost() }
    return texts
  }

  /// Those that have come, also with the answer of a statement.
  private func takeNotifications() -> [String] {
    var texts: [String] = []
    while let notification = PQnotifies(handle.pointer) {
      texts.append(String(cString: notification.pointee.extra))
      PQfreemem(notification)
    }
    return texts
  }

  /// Lets whoever waits for the server go on without it. The connection is of no use afterwards.
  package func end() {
    isBroken = true
    wait.end()
  }
}
#endif
