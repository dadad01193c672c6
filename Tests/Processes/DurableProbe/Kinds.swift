import Foundation
import ProcessTesting
import TaskKit
import TaskKitDurable

/// A job that notes when its body begins and ends.
protocol NotingTask: DurableTask {
  init()
  static var kind: String { get }
  static var options: JobOptions<Self> { get }
  static func body(_ context: DurableContext) async throws
}

extension NotingTask {
  static var registration: DurableRegistration {
    DurableRegistration(
      __kind: kind, type: Self.self, collected: (), at: (#fileID, 1, 1), options: options
    ) { _, context in
      history.note("begin", context.id, context.token, context.attempt, kind)
      do {
        try await body(context)
      } catch {
        history.note("end", context.id, context.token)
        throw error
      }
      history.note("end", context.id, context.token)
    }
  }

  static func body(_ context: DurableContext) async throws {}
}

/// What ended stays, for the test to see.
private let keeping = JobRetention(finished: nil, failed: nil)

/// Runs until it succeeds, however often the process dies.
struct Steady: NotingTask {
  static let kind = "steady"
  static var options: JobOptions<Steady> {
    JobOptions(attempts: .unlimited, backoff: .none, crashes: 1_000_000, retention: keeping)
  }

  static func body(_ context: DurableContext) async throws {
    let found: Int64? = try context.checkpoint()
    history.note("found", context.id, context.token, found ?? 0)
    try await context.checkpoint(context.token.rawValue)
    history.note("checkpointed", context.id, context.token)
    try await context.once("step") { history.note("step", context.id, context.token) }
    history.note("kept", context.id, context.token)
  }
}

/// Waits for no disk when it is enqueued: the death of a process takes it as little as any other one.
struct Relaxed: NotingTask {
  static let kind = "relaxed"
  static var options: JobOptions<Relaxed> {
    JobOptions(
      attempts: .unlimited, backoff: .none, crashes: 1_000_000, durability: plan.endsServer ? .full : .relaxed,
      retention: keeping)
  }

  static func body(_ context: DurableContext) async throws { await Task.yield() }
}

/// Has three attempts, and three crashes.
struct Limited: NotingTask {
  static let kind = "limited"
  static var options: JobOptions<Limited> {
    JobOptions(attempts: 3, backoff: .none, crashes: 3, retention: keeping)
  }

  static func body(_ context: DurableContext) async throws { await Task.yield() }
}

/// Kills every process that runs it.
struct Poison: NotingTask {
  static let kind = "poison"
  static var options: JobOptions<Poison> {
    JobOptions(attempts: .unlimited, backoff: .none, crashes: 3, retention: keeping)
  }

  static func body(_ context: DurableContext) async throws { die() }
}

/// Never succeeds.
struct Failing: NotingTask {
  static let kind = "failing"
  static var options: JobOptions<Failing> {
    JobOptions(attempts: 3, backoff: .none, crashes: 1_000_000, retention: keeping)
  }

  static func body(_ context: DurableContext) async throws { throw CocoaError(.fileNoSuchFile) }
}

/// Never runs beside another one of its kind, in whatever process.
struct Keyed: NotingTask {
  static let kind = "keyed"
  static var options: JobOptions<Keyed> {
    JobOptions(
      attempts: .unlimited, backoff: .none, keyLimit: .by { _ in "one" }, crashes: 1_000_000, retention: keeping)
  }

  static func body(_ context: DurableContext) async throws { await Task.yield() }
}

/// Goes on when the test says so, whatever becomes of its lease.
struct Stuck: NotingTask {
  static let kind = "stuck"
  static var options: JobOptions<Stuck> {
    JobOptions(attempts: .unlimited, backoff: .none, crashes: 1_000_000, retention: keeping)
  }

  static func body(_ context: DurableContext) async throws { await input.line(1) }
}

func randomJob(_ chance: inout SeededGenerator) -> any DurableTask {
  switch Int.random(in: 0..<24, using: &chance) {
  case 0: Poison()
  case 1..<4: Failing()
  case 4..<9: Keyed()
  case 9..<15: Limited()
  case 21..<24: Relaxed()
  default: Steady()
  }
}
