import Foundation
import Synchronization
import TaskKit
import TaskKitDurable
import TaskKitTesting
import Testing

/// How long a job waits after a failure is set by the test.
private protocol Rule: Sendable {
  static var backoff: JobBackoff { get }
}

private enum Fixed: Rule { static let backoff = JobBackoff.fixed(.seconds(7)) }
private enum FixedWithJitter: Rule { static let backoff = JobBackoff.fixed(.seconds(10), jitter: 0.5) }
private enum Linear: Rule { static let backoff = JobBackoff.linear(.seconds(3), maximum: .seconds(10)) }
private enum Exponential: Rule { static let backoff = JobBackoff.exponential(.seconds(2), maximum: .seconds(20)) }
private enum ByTen: Rule { static let backoff = JobBackoff.exponential(.seconds(1), factor: 10, jitter: 1) }
private enum Default: Rule { static let backoff = JobBackoff.default }
private enum None: Rule { static let backoff = JobBackoff.none }
private enum Own: Rule {
  /// As a server's `Retry-After` says, or longer each time.
  static let backoff = JobBackoff.own { failures, error in
    if let error = error as? Failure, let seconds = Int(error.description) { return .seconds(seconds) }
    return .seconds(failures * 100)
  }
}
private enum Backwards: Rule { static let backoff = JobBackoff.own { _, _ in .seconds(-5) } }

private struct Retried<Law: Rule>: ProbedTask {
  var name: String
  init(_ name: String) { self.name = name }
  static var kind: String { "retried" }
  static var options: JobOptions<Retried<Law>> { JobOptions(attempts: 6, backoff: Law.backoff) }
}

@Suite struct BackoffTests {
  struct Case: Sendable, CustomTestStringConvertible {
    let testDescription: String
    fileprivate let kind: any ProbedTask.Type
    var chance = 0.0
    let delays: [Duration]
  }

  static let cases = [
    Case(testDescription: "fixed", kind: Retried<Fixed>.self, chance: 0.9, delays: seconds(7, 7, 7, 7, 7)),
    Case(
      testDescription: "fixed, half of it left to chance", kind: Retried<FixedWithJitter>.self, chance: 0.5,
      delays: seconds(7.5, 7.5, 7.5, 7.5, 7.5)),
    Case(testDescription: "linear", kind: Retried<Linear>.self, chance: 0.9, delays: seconds(3, 6, 9, 10, 10)),
    Case(
      testDescription: "exponential", kind: Retried<Exponential>.self, chance: 0.9, delays: seconds(2, 4, 8, 16, 20)),
    Case(
      testDescription: "exponential, all of it left to chance", kind: Retried<ByTen>.self, chance: 0.25,
      delays: seconds(0.75, 7.5, 75, 750, 7500)),
    Case(testDescription: "default, no chance", kind: Retried<Default>.self, delays: seconds(10, 20, 40, 80, 160)),
    Case(
      testDescription: "default, half a chance", kind: Retried<Default>.self, chance: 0.5,
      delays: seconds(7.5, 15, 30, 60, 120)),
    Case(testDescription: "none", kind: Retried<None>.self, delays: seconds(0, 0, 0, 0, 0)),
    Case(
      testDescription: "own, by the error and the count", kind: Retried<Own>.self,
      delays: seconds(100, 17, 300, 17, 500)),
    Case(testDescription: "own, less than nothing", kind: Retried<Backwards>.self, delays: seconds(0, 0, 0, 0, 0)),
  ]

  private static func seconds(_ values: Double...) -> [Duration] { values.map { .milliseconds(Int($0 * 1000)) } }

  @Test(arguments: cases)
  func `a job waits after each failure as its kind says`(_ row: Case) async throws {
    let bench = try JobBench(row.kind, chance: row.chance)
    var events = bench.center.jobs.events().makeAsyncIterator()
    bench.probe.on("a") { throw Failure($0.attempt.isMultiple(of: 2) ? "17" : "no luck") }
    try await bench.center.enqueue([row.kind.init("a")])
    bench.center.start()
    var told: [Duration] = []
    while told.count < 5, let event = await events.next() {
      guard case .failed(_, _, let attempt, _, let delay) = event.kind else { continue }
      told.append(delay)
      await bench.center.jobs.idle()
      guard delay > .zero else { continue }
      // To the millisecond.
      await bench.time.advance(by: delay - .milliseconds(1), driving: bench.center)
      #expect(bench.probe.notes.count == attempt)
      await bench.time.advance(by: .milliseconds(1), driving: bench.center)
    }
    #expect(told == row.delays)
    await bench.center.jobs.idle()
    #expect(try await bench.states() == ["1 dead 6"])
  }

  @Test func `the default grows up to an hour`() async throws {
    let bench = try JobBench(Long.self)
    var events = bench.center.jobs.events().makeAsyncIterator()
    bench.probe.on("a") { _ in throw Failure() }
    try await bench.center.enqueue(Long("a"))
    bench.center.start()
    var told: [Duration] = []
    while told.count < 11, let event = await events.next() {
      guard case .failed(_, _, _, _, let delay) = event.kind else { continue }
      told.append(delay)
      await bench.center.jobs.idle()
      await bench.time.advance(by: delay, driving: bench.center)
    }
    #expect(told.suffix(3) == [.seconds(2560), .seconds(3600), .seconds(3600)])
  }
}

/// Has as many attempts as it takes.
private struct Long: ProbedTask {
  var name: String
  init(_ name: String) { self.name = name }
  static let kind = "long"
  static var options: JobOptions<Long> { JobOptions(attempts: .unlimited) }
}
