import TaskKit
import Testing

/// Code that reports its end by calling back, and calls back twice (Aw3, At10). What a body returns is its outcome, and a
/// body returns once; its completion takes the first call and tells of the others.
@Suite struct CallbackTests {
  /// As old code does it: success and failure, both.
  private func fetch(_ completion: @escaping @Sendable (Result<Int, any Error>) -> Void) {
    completion(.success(42))
    completion(.failure(Broken()))
  }

  @Test(arguments: [Int.max, 1])
  func `a callback that comes twice ends its task once, At10`(limit: Int) async throws {
    let recorder = Recorder()
    let lane = Lane("launch")
    let center = try TaskCenter.with(
      [
        .event(
          .alpha, name: "fetch", lane: lane,
          returning: { _ in
            try await withCompletion(onMisuse: { recorder.note("\($0.code)") }) { completion in
              self.fetch { completion.finish(with: $0) }
            }
          }),
        .event(.alpha, name: "next", lane: lane) { _ in recorder.note("next") },
      ], limit: limit)
    let events = center.events.makeAsyncIterator()
    let report = await center.send(.alpha)
    #expect(report.outcomes == ["fetch": "succeeded", "next": "succeeded"])
    #expect(recorder.notes == ["answeredAgain", "next"])
    #expect(try await center.output(named: "fetch", as: Int.self) == 42)
    #expect(try center.statistics(of: "fetch").count == 1)
    #expect(
      await events.words(until: "eventEnded alpha").filter { $0.hasPrefix("taskEnded") } == [
        "taskEnded fetch: succeeded", "taskEnded next: succeeded",
      ])
  }
}
