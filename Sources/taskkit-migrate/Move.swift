#if Durable && Postgres
import Foundation
import GRDB
import TaskKitDurable
import TaskKitPostgres

/// Why nothing was moved.
struct MoveError: Error, CustomStringConvertible {
  let description: String
}

/// The move of a store from a file to a server.
struct Move {
  let file: String
  let address: String
  let schema: String

  /// - Returns: what was moved, and how many of each.
  func run(isTrial: Bool) async throws -> [(what: String, count: Int)] {
    guard FileManager.default.fileExists(atPath: file) else {
      throw MoveError(description: "there is no file \(file)")
    }
    try await settle()
    let source = try SourceFile(at: file)
    let name = PostgresSettings.name(of: address)
    let moved: [(what: String, count: Int)]
    do {
      let connection = try await PostgresConnection.open(address)
      try await connection.run("BEGIN")
      try await PostgresSchema.migrateHere(connection, schema: schema, store: name)
      let target = TargetSchema(connection: connection, name: "schema '\(schema)' of \(name)")
      try await target.checkEmpty()
      for step in CopyStep.all { try await copy(step, from: source, to: target) }
      try await target.finish(next: source.sequences(), identity: source.identity())
      moved = try await compare(source, target)
      // A connection that ends before has taken everything back.
      try await connection.run(isTrial ? "ROLLBACK" : "COMMIT")
      await connection.end()
    } catch PostgresFailure.server(let code, let message) {
      throw MoveError(description: "\(name): \(message) (\(code)); nothing was moved")
    } catch PostgresFailure.refused(let text) {
      throw MoveError(description: "\(name) cannot be reached: \(text)")
    } catch PostgresFailure.lost(let text) {
      throw MoveError(
        description: "\(name) was lost: \(text). Nothing was moved, unless that was the end: look before you try again")
    }
    try source.end()
    if !isTrial { try putAside() }
    return moved
  }

  /// Brings the file up to date, and gives back what dead processes held.
  private func settle() async throws {
    let store = SQLiteStore(at: URL(filePath: file))
    _ = try await store.open(StoreEnvironment(owner: "taskkit-migrate"))
    await store.close()
  }

  private func copy(_ step: CopyStep, from source: SourceFile, to target: TargetSchema) async throws {
    var offset = 0
    var after = Int64.min
    while true {
      let rows = try source.rows(step, after: after, offset: offset)
      guard !rows.isEmpty else { return }
      try await target.write(rows, step)
      offset += rows.count
      if case .integer(let id?) = rows.last![0] { after = id }
    }
  }

  private func compare(
    _ source: SourceFile, _ target: TargetSchema
  ) async throws -> [(what: String, count: Int)] {
    let (before, after) = (try source.jobs(), try await target.jobs())
    guard before == after else {
      throw MoveError(description: "the jobs are not the same: before \(before), after \(after); nothing was moved")
    }
    var moved = [(what: "jobs", count: before.values.reduce(0, +))]
    for step in CopyStep.all where step.table != "taskkit_job" {
      let (before, after) = (try source.count(step.table), try await target.count(step.table))
      guard before == after else {
        throw MoveError(
          description: "\(step.table) had \(before) rows, and there are \(after) at the target; nothing was moved")
      }
      moved.append((step.what, before))
    }
    return moved
  }

  /// Takes the file out of the way of whoever would go on with it.
  private func putAside() throws {
    try FileManager.default.moveItem(atPath: file, toPath: file + ".moved")
    for end in ["-wal", "-shm"] where FileManager.default.fileExists(atPath: file + end) {
      try FileManager.default.moveItem(atPath: file + end, toPath: file + ".moved" + end)
    }
    try? FileManager.default.removeItem(atPath: file + "-owners")
  }
}
#endif
