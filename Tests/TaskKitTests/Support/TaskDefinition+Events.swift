@testable import TaskKit

extension TaskDefinition {
  /// A task of several events, as an annotation with `events:` makes it.
  static func events<Output: Sendable>(
    _ events: [LifecycleEvent<Void, Void>], name: TaskName, dependencies: [TaskDependency] = [],
    after: [TaskReference] = [], runs: RunLimit = .always, lane: Lane? = nil,
    returning body: @escaping @Sendable (TaskContext<Void>) async throws -> Output
  ) -> TaskDefinition {
    TaskDefinition(
      registration: TaskRegistration(
        name: name, location: TaskLocation("Tests/Events.swift", 1, 1),
        occasions: events.map { TaskOccasion($0, in: nil, body) }, priority: .default, dependencies: dependencies,
        after: after, timeout: nil, retry: .never, onFailure: .skipDependents, runs: runs, lane: lane))
  }
}
