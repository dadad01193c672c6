/// Proves a store against the rules of `JobStore`, with no test framework of its own.
///
/// ```swift
/// @Test(arguments: JobStoreConformance.all)
/// func `the store keeps the rules`(_ check: JobStoreConformance.Check) async throws {
///   try await JobStoreConformance.run(check) { MyFixture() }
/// }
/// ```
public enum JobStoreConformance {
  /// One rule, with a sentence that says it.
  public struct Check: Sendable, CustomStringConvertible {
    /// The sentence; no two checks have the same.
    public let name: String
    let body: @Sendable (StoreBench) async throws -> Void

    init(_ name: String, _ body: @escaping @Sendable (StoreBench) async throws -> Void) {
      self.name = name
      self.body = body
    }

    public var description: String { name }
  }

  /// Every check, in the order of the chapters of the contract.
  public static let all: [Check] =
    enqueueing + claiming + ending + parents + keys + limits + changing + owners + keeping + reading

  /// Runs one check on an empty store.
  ///
  /// - Parameters:
  ///   - check: one of ``all``.
  ///   - limit: how long it may wait for what the store should tell: far longer than any store takes. A method of the store
  ///     that does not return, and does not end when its task is cancelled, is waited for all the same.
  ///   - makeFixture: makes the empty store.
  /// - Throws: ``ConformanceFailure`` where the store does something else, and whatever the store throws.
  public static func run(
    _ check: Check, within limit: Duration = .seconds(300), _ makeFixture: () async throws -> any JobStoreFixture
  ) async throws {
    let bench = StoreBench(try await makeFixture())
    do {
      try await withThrowingTaskGroup { group in
        group.addTask { try await check.body(bench) }
        group.addTask {
          // By the system's clock: a store may have any.
          try await Task.sleep(for: limit)
          throw ConformanceFailure(text: "'\(check)' has not ended within \(limit)", file: #fileID, line: #line)
        }
        defer { group.cancelAll() }
        try await group.next()
      }
    } catch {
      await bench.closeAll()
      throw error
    }
    await bench.closeAll()
  }

  /// Runs every check, each on a new fixture.
  ///
  /// - Returns: what was found, by the name of the check; empty for a store that keeps the rules and leaves nothing out of
  ///   what `JobStore` lets it leave out.
  public static func run(_ makeFixture: () async throws -> any JobStoreFixture) async -> [String: any Error] {
    var failures: [String: any Error] = [:]
    for check in all {
      do { try await run(check, makeFixture) } catch { failures[check.name] = error }
    }
    return failures
  }
}

/// What a check found that is not as the contract says.
public struct ConformanceFailure: Error, CustomStringConvertible {
  /// What was expected, and what came.
  public let text: String
  /// Where the check says so.
  public let file: String
  /// The line in that file.
  public let line: Int

  public var description: String { "\(text) (\(file):\(line))" }
}
