import Foundation
import Measuring

/// A question, and how it is measured.
struct Suite: Sendable {
  let name: String
  /// What is found out, with files in a folder that is removed afterwards.
  let run: @concurrent @Sendable (Settings, URL) async throws -> Section

  #if Durable
  static let all =
    [
      Suite(name: "checks", run: checks),
      Suite(name: "jobs", run: jobs),
      Suite(name: "waiting", run: waiting),
      Suite(name: "bytes", run: bytes),
      Suite(name: "growth", run: growth),
    ] + onServer

  #if Postgres
  private static let onServer = [Suite(name: "postgres", run: postgres)]
  #else
  private static let onServer: [Suite] = []
  #endif
  #else
  static let all: [Suite] = []
  #endif
}
