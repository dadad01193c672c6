import TaskKit
import TaskKitDurable

/// A job that does what the probe of its center says for its name.
protocol ProbedTask: DurableTask {
  init(_ name: String)
  var name: String { get }
  static var options: JobOptions<Self> { get }
  static var kind: String { get }
}

extension ProbedTask {
  static var registration: DurableRegistration {
    DurableRegistration(
      __kind: kind, type: Self.self, collected: (), at: ("Tests/\(kind).swift", 1, 1), options: options,
      run: { job, context in try await context.center[Probe.Key.self]?.run(job.name, context) })
  }

  static func didGiveUp(_ job: Self, _ failure: DurableFailure) async {
    failure.center[Probe.Key.self]?.note(
      "\(job.name) gave up after \(failure.attempts): \(failure.cause), \(failure.text)")
  }
}

struct Work: ProbedTask {
  var name: String
  init(_ name: String) { self.name = name }
  static let kind = "work"
  static var options: JobOptions<Work> { JobOptions(backoff: .none) }
}

/// Another one.
struct Chore: ProbedTask {
  var name: String
  init(_ name: String) { self.name = name }
  static let kind = "chore"
  static var options: JobOptions<Chore> { JobOptions(backoff: .fixed(.seconds(10)), limit: 1) }
}

/// All of one account.
struct AccountWork: ProbedTask {
  var name: String
  init(_ name: String) { self.name = name }
  static let kind = "accountWork"
  static var options: JobOptions<AccountWork> { JobOptions(keyLimit: .by({ _ in "one" }, count: 4)) }
}

/// Returns something to its children.
struct Measure: DurableTask {
  var value: Int
  static var registration: DurableRegistration {
    DurableRegistration(
      __kind: "measure", type: Self.self, collected: (), at: ("Tests/Measure.swift", 1, 1),
      options: JobOptions(retention: JobRetention(finished: .seconds(60))),
      output: { job, context in job.value * 2 })
  }
}
