#if Postgres
import Foundation
import TaskKitDurable

/// Where a store is, and how it goes about it.
package struct PostgresSettings: Sendable {
  let address: String
  /// What it is called in errors, without a password.
  let name: String
  let schemaName: String
  /// As it stands in statements.
  let schema: String
  let lease: Duration
  let connections: Int
  let notifies: Bool
  /// How long it waits to learn what has become of something, when the connection broke.
  let patience: Duration
  /// The most time between two looks.
  let pollInterval: Duration
  /// How many rows of jobs that are gone it takes until somebody removes them.
  var mostDeadRows = 20_000
  /// The most bytes of payloads of several callers in one transaction: all of them wait for all of these.
  var mostBytes = 64_000_000
  /// For tests, whose calendar stands still.
  let usesEnvironmentClock: Bool
  /// What this build makes of the schema; a test gives a later one.
  var build = PostgresSchema.Build.current

  /// - Throws: ``JobStoreError`` that names each option that makes no sense, and its bounds.
  func check() throws {
    let problems = problems
    guard problems.isEmpty else { throw error(.invalid, problems.joined(separator: "; ")) }
  }

  /// The options that make no sense, and their bounds.
  var problems: [String] {
    var problems: [String] = []
    func note(_ option: String, _ value: Any, _ bounds: String) {
      problems.append("'\(option)' is \(value); it has to be \(bounds)")
    }
    if lease < .seconds(1) { note("lease", lease, "a second at least") }
    // The server adds it to what its clock says.
    if lease > .seconds(3_155_760_000) { note("lease", lease, "a hundred years at most") }
    if connections < 1 { note("connections", connections, "1 at least") }
    if pollInterval < .milliseconds(10) { note("pollInterval", pollInterval, "ten milliseconds at least") }
    if patience < .zero { note("patience", patience, "no time at least") }
    if PostgresAddress.options(of: address) == nil { problems.append(PostgresAddress.mistake) }
    if let problem = PostgresSchema.problem(ofName: schemaName) { problems.append(problem) }
    return problems
  }

  /// What the calendar says now; nil where that is the server's.
  func time(_ environment: StoreEnvironment) -> Int64? {
    usesEnvironmentClock ? StoreTime(environment.now()).microseconds : nil
  }

  func error(_ reason: JobStoreError.Reason, _ detail: String) -> JobStoreError {
    JobStoreError(reason, store: name, detail: detail)
  }

  /// What an error of the server means.
  func error(code: String, _ message: String) -> JobStoreError {
    let reason: JobStoreError.Reason =
      switch code {
      case "TK002", "TK007", "22021", "22P05", "54000", "22003", "28000", "28P01": .invalid
      case "TK004":
        // It names both formats, that of the schema first.
        .newer(version: message.firstMatch(of: #/\d+/#).flatMap { Int($0.output) } ?? 0, known: build.version)
      case "53100": .full
      case "25006", "42501": .readOnly
      case "XX001", "XX002": .corrupt
      case "55P03", "57014", "40001", "40P01", "TK003": .locked
      case "3D000", "3F000", "42P01", "42883": .missing
      // What it reads or writes itself fails.
      case _ where code.hasPrefix("58"): .inputOutput
      case _ where code.hasPrefix("08") || code.hasPrefix("57P") || code.hasPrefix("53"): .unreachable
      default: .other
      }
    if case .newer(let version, _) = reason { return newer(version) }
    return error(reason, reason == .other ? "\(message) (\(code))" : message)
  }

  /// The same, where what was asked for may have been unknown to the server because a later build has changed the schema.
  func error(code: String, _ message: String, asking connection: PostgresConnection) async -> JobStoreError {
    guard code.hasPrefix("42") else { return error(code: code, message) }
    do {
      let found = try await PostgresSchema.version(connection, schema: schemaName)
      return found > build.version ? newer(found) : error(code: code, message)
    } catch {
      // Where that cannot be asked either, the first thing stays what is wrong.
      return self.error(code: code, message)
    }
  }

  private func newer(_ version: Int) -> JobStoreError {
    error(.newer(version: version, known: build.version), "a later build has changed the schema \(schema)")
  }

  /// What an error of a connection means.
  func error(_ error: any Error) -> JobStoreError {
    switch error {
    case let error as JobStoreError: error
    case PostgresFailure.server(let code, let message): self.error(code: code, message)
    case PostgresFailure.lost(let text), PostgresFailure.refused(let text): self.error(.unreachable, text)
    case PostgresFailure.unreadable(let text): self.error(.corrupt, text)
    case PostgresFailure.unshelved:
      self.error(
        .locked,
        "a transaction that is not committed has enqueued the first job of such a kind, queue or set of constraints; commit it, "
          + "and enqueue again")
    case PostgresFailure.undone: self.error(.other, "another statement of the same transaction failed")
    default: self.error(.other, "\(error)")
    }
  }

  /// The server that an address means, without what is nobody's business.
  package static func name(of address: String) -> String {
    guard let values = PostgresAddress.options(of: address) else { return "PostgreSQL" }
    let host = values["host"] ?? values["hostaddr"] ?? "localhost"
    return "postgresql://\(host)\(values["port"].map { ":\($0)" } ?? "")/\(values["dbname"] ?? values["user"] ?? "")"
  }
}
#endif
