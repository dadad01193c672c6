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

  /// The file's name without links, which is what is put aside.
  let path: String

  init(file: String, address: String, schema: String) {
    self.file = file
    self.address = address
    self.schema = schema
    path = FileName.resolved(file)
  }

  struct Outcome {
    /// What was moved, and how many of each.
    var moved: [(what: String, count: Int)]
    /// The tables of the file that are none of the store's: with them it stays where it is.
    var others: [String]
    /// Why the file could not be put aside.
    var trouble: String?
  }

  /// How an attempt to commit has ended.
  private enum End {
    case done
    case undone(any Error)
    case unknown(any Error)
  }

  func run(isTrial: Bool) async throws -> Outcome {
    let hasMoved = FileManager.default.fileExists(atPath: path + ".moved")
    guard FileManager.default.fileExists(atPath: path) else {
      guard hasMoved else { throw MoveError(description: "there is no file \(file)") }
      // An earlier run came to its end, though nobody may have heard of it.
      throw MoveError(
        description: """
          there is no file \(file) any more: it was put aside as \(path).moved when its jobs had been moved. Name that one to \
          hear whether they are there
          """)
    }
    guard !hasMoved else {
      throw MoveError(description: "\(path).moved is there already: take it away, then move the jobs")
    }
    let source = try await SourceFile.open(at: path)
    let name = PostgresSettings.name(of: address)
    do {
      let connection = try await PostgresConnection.open(address)
      let target = try await TargetSchema(schema, at: connection, of: name)
      if let earlier = source.earlierTarget, !target.isMeant(by: earlier) {
        throw MoveError(description: "an earlier run was moving the jobs of \(file) to \(earlier): go on with that")
      }
      let outcome = try await run(source, target, isTrial)
      await connection.end()
      return outcome
    } catch PostgresFailure.server(let code, let message) {
      throw MoveError(description: "\(name): \(message) (\(code)); nothing was moved")
    } catch PostgresFailure.refused(let text) {
      throw MoveError(description: "\(name) cannot be reached: \(text)")
    } catch PostgresFailure.lost(let text) {
      throw MoveError(description: "\(name) was lost: \(text). Nothing was moved")
    }
  }

  private func run(_ source: SourceFile, _ target: TargetSchema, _ isTrial: Bool) async throws -> Outcome {
    let (connection, name) = (target.connection, target.name)
    // What the file no longer holds has to be on the server's disk, whatever the role has: as a store does it.
    try await connection.run(
      """
      BEGIN;
      SELECT set_config('synchronous_commit', 'on', true) WHERE current_setting('synchronous_commit') = 'off'
      """)
    // Waits for the end of an earlier run, if the server has not heard yet that it is over.
    try await PostgresSchema.migrateHere(connection, schema: schema, store: name)
    if source.earlierTarget != nil, try await target.has(source.identity()) {
      guard !file.hasSuffix(".moved") else {
        throw MoveError(description: "the jobs of \(file) have been moved to \(name)")
      }
      // They may have changed there meanwhile.
      let moved = try count(source)
      try await connection.run("ROLLBACK")
      guard !isTrial else {
        try source.end()
        return Outcome(moved: moved, others: source.others)
      }
      try source.mark(target.mark)
      return putAside(source, moved)
    }
    try await target.checkEmpty()
    for step in CopyStep.all { try await copy(step, from: source, to: target) }
    try await target.finish(next: source.sequences(), identity: source.identity())
    let moved = try await compare(source, target)
    // A connection that ends before has taken everything back.
    guard !isTrial else {
      try await connection.run("ROLLBACK")
      try source.end()
      return Outcome(moved: moved, others: source.others)
    }
    // From here on the jobs are in one place at the most: first they are nowhere, then at the server.
    try source.mark(target.mark)
    switch await commit(connection) {
    case .done: return putAside(source, moved)
    case .undone(let error):
      try source.unmark()
      throw error
    case .unknown(let error):
      throw MoveError(
        description: """
          \(name) was lost at the end (\(error)), and nobody knows whether the jobs are there. Nobody can use \(file) \
          until you have done the same again, which goes on where this has ended
          """)
    }
  }

  private func commit(_ connection: PostgresConnection) async -> End {
    do {
      try await connection.run("COMMIT")
      return .done
    } catch PostgresFailure.lost(let text) {
      return .unknown(PostgresFailure.lost(text))
    } catch PostgresFailure.server(let code, let message) {
      // Of the classes of codes, those in which the server ends the connection say nothing of the commit.
      let error = PostgresFailure.server(code: code, message: message)
      return code.hasPrefix("57P") || code.hasPrefix("08") ? .unknown(error) : .undone(error)
    } catch {
      return .undone(error)
    }
  }

  /// The jobs are at the server, whatever becomes of the file: nobody can use it any more.
  private func putAside(_ source: SourceFile, _ moved: [(what: String, count: Int)]) -> Outcome {
    do {
      try source.putAside()
      return Outcome(moved: moved, others: source.others)
    } catch {
      return Outcome(moved: moved, others: source.others, trouble: "\(error)")
    }
  }

  private func copy(_ step: CopyStep, from source: SourceFile, to target: TargetSchema) async throws {
    var last: [CopyValue]?
    while true {
      let rows = try source.rows(step, after: last)
      guard !rows.isEmpty else { return }
      try await target.write(rows, step)
      last = rows.last
    }
  }

  private func compare(
    _ source: SourceFile, _ target: TargetSchema
  ) async throws -> [(what: String, count: Int)] {
    let (before, after) = (try source.jobs(), try await target.jobs())
    guard before == after else {
      throw MoveError(description: "the jobs are not the same: before \(before), after \(after); nothing was moved")
    }
    for step in CopyStep.all where step.table != "taskkit_job" {
      let (before, after) = (try source.count(step.table), try await target.count(step.table))
      guard before == after else {
        throw MoveError(
          description: "\(step.table) had \(before) rows, and there are \(after) at the target; nothing was moved")
      }
    }
    return try count(source)
  }

  private func count(_ source: SourceFile) throws -> [(what: String, count: Int)] {
    try CopyStep.all.map { ($0.what, try source.count($0.table)) }
  }
}
#endif
