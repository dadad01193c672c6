import TaskKit

/// Tasks of lanes as types, for the macros and the plugin.
enum LaneTasks {
  struct Log: SharedKey {
    typealias Value = Values<Bool>
  }

  nonisolated static let main = Lane("main", isolation: .mainActor)

  @EventTask(event: LifecycleEvent<Void, Void>("LaneTasks"), lane: LaneTasks.main)
  enum OnMain {
    static func run(_ context: TaskContext<Void>) { context[Log.self]?.append(isOnMainActor) }
  }

  // MARK: - One of every other kind

  /// Where there is none, their bodies return at once.
  struct Work: SharedKey {
    typealias Value = LaneWork
  }

  nonisolated static let line = Lane("of every kind")

  @ScheduleTask(every: .seconds(30), count: 1, first: .immediately, lane: LaneTasks.line)
  enum Scheduled {
    static func run(_ context: TaskContext<ScheduledRun>) async { await context[Work.self]?.run() }
  }

  @NotificationTask("LaneTasks.Posted", lane: LaneTasks.line)
  enum Posted {
    static func run(_ context: TaskContext<PostedNotification>) async { await context[Work.self]?.run() }
  }

  @SequenceTask(LaneTasks.elements, lane: LaneTasks.line)
  enum Element {
    static func run(_ context: TaskContext<Int>) async { await context[Work.self]?.run() }
  }

  static var elements: AsyncStream<Int> {
    AsyncStream { continuation in
      continuation.yield(1)
      continuation.finish()
    }
  }

  @TaskModule
  final class Keeper: Sendable {
    @ModuleTask(event: LifecycleEvent<Void, Void>("LaneTasks.Kept"), lane: LaneTasks.line)
    func work(_ context: TaskContext<Void>) async { await context[Work.self]?.run() }
  }
}

/// What is in a lane until a test lets it go.
final class LaneWork: Sendable {
  let meter = Meter()
  let gate = Gate()

  func run() async {
    meter.enter()
    await gate.pass()
    meter.leave()
  }
}
