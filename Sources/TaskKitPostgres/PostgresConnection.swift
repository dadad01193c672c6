#if Postgres
import CPostgres
import Dispatch
import Foundation
import Synchronization

/// Why a statement gave nothing.
package enum PostgresFailure: Error {
  /// The server said so; nothing of the statement has happened.
  case server(code: String, message: String)
  /// Nobody knows what has become of the statement.
  case lost(String)
  /// There is no connection, and nothing was sent.
  case refused(String)
}

/// A connection to a server, with one statement at a time. No thread waits for the server: a source on the socket tells
/// when to go on. Only where the address is a host's name, looking that up holds a thread of its own for a moment.
///
/// Nothing of a statement stays in the session, so poolers that give each transaction another one do no harm.
package actor PostgresConnection {
  private struct Handle: ~Copyable {
    let pointer: OpaquePointer
    deinit { PQfinish(pointer) }
  }

  /// What a call of the system library gives back, on its way from the queue that it was made on to the one that has it.
  // Nobody else knows the pointer.
  private struct Sent: @unchecked Sendable { let pointer: OpaquePointer? }

  private let handle: Handle
  private let wait = SocketWait()
  package private(set) var isBroken = false

  /// Connects.
  ///
  /// - Throws: ``PostgresFailure/refused(_:)``.
  package static func open(_ address: String) async throws -> PostgresConnection {
    let sent = await withCheckedContinuation { (continuation: CheckedContinuation<Sent, Never>) in
      DispatchQueue.global().async { continuation.resume(returning: Sent(pointer: PQconnectStart(address))) }
    }
    guard let pointer = sent.pointer else { throw PostgresFailure.refused("no memory is left") }
    let connection = PostgresConnection(Sent(pointer: pointer))
    try await connection.connect()
    return connection
  }

  private init(_ sent: Sent) { handle = Handle(pointer: sent.pointer!) }

  private func connect() async throws {
    var next = PGRES_POLLING_WRITING
    guard PQstatus(handle.pointer) != CONNECTION_BAD else { throw PostgresFailure.refused(message) }
    while next != PGRES_POLLING_OK {
      guard next != PGRES_POLLING_FAILED, await wait.ready(PQsocket(handle.pointer), next == PGRES_POLLING_WRITING)
      else {
        isBroken = true
        throw PostgresFailure.refused(message)
      }
      next = PQconnectPoll(handle.pointer)
    }
    PQsetnonblocking(handle.pointer, 1)
    // Notices are for people who type.
    _ = PQsetNoticeProcessor(handle.pointer, { _, _ in }, nil)
    guard PQserverVersion(handle.pointer) >= 130_000 else {
      throw PostgresFailure.server(
        code: "TK002", message: "the server is older than PostgreSQL 13: \(PQserverVersion(handle.pointer))")
    }
  }

  /// What the library says, without the line's end.
  private var message: String {
    String(cString: PQerrorMessage(handle.pointer)).trimmingCharacters(in: .whitespacesAndNewlines)
  }

  /// Does several statements that get nothing and give nothing.
  package func run(_ sql: String) async throws {
    guard PQsendQuery(handle.pointer, sql) == 1 else { throw lost() }
    _ = try await rows()
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
    guard !isBroken else { throw PostgresFailure.refused("the connection is broken") }
    let encoded = values.map(\.bytes)
    let types = values.map(\.type)
    let lengths = encoded.map { Int32($0?.count ?? 0) }
    let formats = values.map { _ in Int32(1) }
    // One block for all values, so that there is one lifetime to care for. The empty value needs an address, too.
    let block = encoded.reduce(into: [UInt8]()) { $0 += $1 ?? [] } + [0]
    let isSent = block.withUnsafeBufferPointer { block in
      block.withMemoryRebound(to: CChar.self) { block in
        var offset = 0
        let pointers: [UnsafePointer<CChar>?] = encoded.map { bytes in
          guard let bytes else { return nil }
          defer { offset += bytes.count }
          return block.baseAddress! + offset
        }
        return PQsendQueryParams(
          handle.pointer, sql, Int32(values.count), types, pointers, lengths, formats, 1)
      }
    }
    guard isSent == 1 else { throw lost() }
    return try await rows()
  }

  private func lost() -> PostgresFailure {
    isBroken = true
    return .lost(message)
  }

  private func rows() async throws -> [PostgresRow] {
    while true {
      let left = PQflush(handle.pointer)
      if left == 0 { break }
      guard left == 1, await wait.ready(PQsocket(handle.pointer), true) else { throw lost() }
      // The server may have to get rid of something first.
      guard PQconsumeInput(handle.pointer) == 1 else { throw lost() }
    }
    var rows: [PostgresRow] = []
    var failure: PostgresFailure?
    while true {
      while PQisBusy(handle.pointer) == 1 {
        guard await wait.ready(PQsocket(handle.pointer), false), PQconsumeInput(handle.pointer) == 1 else {
          throw lost()
        }
      }
      guard let result = PQgetResult(handle.pointer) else { break }
      defer { PQclear(result) }
      switch PQresultStatus(result) {
      case PGRES_TUPLES_OK: rows = Self.rows(of: result)
      case PGRES_COMMAND_OK, PGRES_EMPTY_QUERY: continue
      default:
        let code = PQresultErrorField(result, Int32(UInt8(ascii: "C"))).map { String(cString: $0) }
        let text = PQresultErrorField(result, Int32(UInt8(ascii: "M"))).map { String(cString: $0) } ?? message
        failure = code.map { .server(code: $0, message: text) } ?? .lost(text)
      }
    }
    if PQstatus(handle.pointer) == CONNECTION_BAD { throw lost() }
    if let failure { throw failure }
    return rows
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

  /// Waits for notifications, and no longer than the time given.
  ///
  /// - Returns: what came with each; empty when the time has passed.
  func notifications(within time: Duration) async throws -> [String] {
    guard !isBroken else { throw PostgresFailure.refused("the connection is broken") }
    if await wait.ready(PQsocket(handle.pointer), false, within: time), PQconsumeInput(handle.pointer) != 1 {
      throw lost()
    }
    var texts: [String] = []
    while let notification = PQnotifies(handle.pointer) {
      texts.append(String(cString: notification.pointee.extra))
      PQfreemem(notification)
    }
    if PQstatus(handle.pointer) == CONNECTION_BAD { throw lost() }
    return texts
  }

  /// Lets whoever waits for the server go on without it. The connection is of no use afterwards.
  package func end() {
    isBroken = true
    wait.end()
  }
}

/// Waits for a socket, one wait at a time.
private final class SocketWait: Sendable {
  private struct State {
    var hasEnded = false
    var cancel: (@Sendable () -> Void)?
  }

  private let state = Mutex(State())

  /// - Parameter isWriting: whether it is waited for room to write in, instead of for something to read.
  /// - Returns: false if there is nothing to wait for any more, or the time has passed.
  func ready(_ socket: Int32, _ isWriting: Bool, within time: Duration? = nil) async -> Bool {
    guard socket >= 0 else { return false }
    let isReady = Mutex(false)
    return await withCheckedContinuation { continuation in
      let source: any DispatchSourceProtocol =
        isWriting
        ? DispatchSource.makeWriteSource(fileDescriptor: socket, queue: Self.queue)
        : DispatchSource.makeReadSource(fileDescriptor: socket, queue: Self.queue)
      // Dispatch lets sources be used from any thread.
      nonisolated(unsafe) let shared = source
      source.setEventHandler {
        isReady.withLock { $0 = true }
        shared.cancel()
      }
      source.setCancelHandler {
        self.state.withLock { $0.cancel = nil }
        continuation.resume(returning: isReady.withLock { $0 })
      }
      let hasEnded = state.withLock { state in
        state.cancel = { shared.cancel() }
        return state.hasEnded
      }
      source.activate()
      if hasEnded { source.cancel() }
      if let time {
        Self.queue.asyncAfter(deadline: .now() + time / .seconds(1)) { shared.cancel() }
      }
    }
  }

  func end() {
    let cancel = state.withLock { state in
      state.hasEnded = true
      return state.cancel
    }
    cancel?()
  }

  private static let queue = DispatchQueue(label: "org.taskkit.postgres")
}
#endif
