#if Postgres
import TaskKitDurable

/// A few connections for reading. Who comes when all are taken waits its turn.
actor PostgresPool {
  private let settings: PostgresSettings
  private var free: [PostgresConnection] = []
  private var count = 0
  private var waiters: [CheckedContinuation<Void, Never>] = []
  private var isClosed = false

  init(_ settings: PostgresSettings) { self.settings = settings }

  /// Does a statement that may be done twice; not where a later build has changed the schema, of which it may say anything.
  func query(_ sql: String, _ values: [PostgresValue] = []) async throws -> [PostgresRow] {
    if count < settings.connections {
      count += 1
    } else if !isClosed {
      // Who goes leaves his place to the first who waits: nobody who comes in between takes it.
      await withCheckedContinuation { waiters.append($0) }
    }
    // Then nobody needs a place any more.
    guard !isClosed else { throw settings.error(.closed, "it was closed") }
    defer { if waiters.isEmpty { count -= 1 } else { waiters.removeFirst().resume() } }
    do {
      // One that was idle may have been broken for long.
      while let connection = free.popLast() {
        do { return try await query(sql, values, on: connection) } catch PostgresFailure.lost {
          continue
        } catch PostgresFailure.refused { continue }
      }
      return try await query(sql, values, on: PostgresConnection.open(settings.address))
    } catch { throw settings.error(error) }
  }

  private func query(
    _ sql: String, _ values: [PostgresValue], on connection: PostgresConnection
  ) async throws -> [PostgresRow] {
    do {
      let check = PostgresStatement(
        "SELECT \(settings.schema).taskkit_check($1)", [.integer(Int64(settings.build.version))])
      let answers = try await connection.query([check, PostgresStatement(sql, values)])
      await keep(connection)
      return answers[1]
    } catch PostgresFailure.server(let code, let message) {
      let error = await settings.error(code: code, message, asking: connection)
      if PostgresFailure.lastsAsLongAsSession(code) {
        await connection.end()
        // They are no younger.
        free = []
      } else {
        await keep(connection)
      }
      throw error
    } catch {
      await keep(connection)
      throw error
    }
  }

  private func keep(_ connection: PostgresConnection) async {
    guard await !connection.isBroken else { return }
    if isClosed { await connection.end() } else { free.append(connection) }
  }

  func close() {
    isClosed = true
    free = []
    for waiter in waiters { waiter.resume() }
    waiters = []
  }
}
#endif
