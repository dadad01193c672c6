#if Postgres
import Foundation
import Synchronization
import TaskKitDurable

/// Prolongs an owner's lease, and tells when others have done something: a connection of its own that listens, and looks by
/// itself in case that nobody tells.
struct PostgresWatch: Sendable {
  let settings: PostgresSettings
  let identity: UUID
  /// What its own process says when it tells others.
  let voice: String
  let owner: @Sendable () async -> Int64?
  let signal: AsyncStream<Void>.Continuation

  /// Works until the task is cancelled.
  func run() async {
    var delays = Backoff()
    while !Task.isCancelled {
      try? await Task.sleep(for: delays.next())
      guard !Task.isCancelled, let connection = try? await PostgresConnection.open(settings.address) else { continue }
      await withTaskCancellationHandler {
        // What others said while there was no connection is lost: it is looked again, each time.
        signal.yield()
        do { try await watch(connection) { delays = Backoff() } } catch {}
        await connection.end()
      } onCancel: {
        // Ends when the connection has been told.
        Task { await connection.end() }
      }
    }
  }

  private func watch(_ connection: PostgresConnection, _ works: () -> Void) async throws {
    if settings.notifies { try await connection.run("LISTEN \"taskkit_\(identity.uuidString.lowercased())\"") }
    let clock = ContinuousClock()
    var interval = Self.shortestInterval
    var nextBeat = clock.now
    var moves: Int64?
    while !Task.isCancelled {
      if clock.now >= nextBeat, let owner = await owner() {
        let isAlive = try await connection.query("SELECT \(settings.schema).taskkit_beat($1)", [.integer(owner)])
        // Whoever works for it has to learn that it is none any more.
        if isAlive.first?.flag(0) != true { signal.yield() }
        nextBeat = clock.now + settings.lease / 3
      }
      let rows = try await connection.query("SELECT sum(moves)::bigint FROM \(settings.schema).taskkit_count")
      works()
      let found = rows.first?.integer(0)
      if moves != found {
        signal.yield()
        interval = Self.shortestInterval
      } else {
        interval = min(interval * 3 / 2, settings.pollInterval)
      }
      moves = found
      let texts = try await connection.notifications(within: min(interval, settings.lease / 3))
      if texts.contains(where: { $0 != voice }) { signal.yield() }
    }
  }

  private static let shortestInterval = Duration.milliseconds(100)
}

/// Tells other processes that there is something to see: no more often than every 50 ms, since the server does such
/// transactions one after the other.
final class PostgresNotifier: Sendable {
  private static let pause = Duration.milliseconds(50)

  private struct State {
    var isPausing = false
    var isAsked = false
  }

  private let state = Mutex(State())
  private let send: @Sendable () async -> Void

  init(_ send: @escaping @Sendable () async -> Void) { self.send = send }

  func tell() {
    let mustStart = state.withLock { state in
      state.isAsked = true
      defer { state.isPausing = true }
      return !state.isPausing
    }
    guard mustStart else { return }
    // Ends when nothing has been asked for during a pause.
    Task {
      while takeAsked() {
        await send()
        try? await Task.sleep(for: Self.pause)
      }
    }
  }

  private func takeAsked() -> Bool {
    state.withLock { state in
      defer { state.isAsked = false }
      if !state.isAsked { state.isPausing = false }
      return state.isAsked
    }
  }
}
#endif
