import TaskKit

/// A task of a lane as a type, for the macros and the plugin.
enum LaneTasks {
  struct Log: SharedKey {
    typealias Value = Values<Bool>
  }

  nonisolated static let main = Lane("main", isolation: .mainActor)

  @EventTask(event: LifecycleEvent<Void, Void>("LaneTasks"), lane: LaneTasks.main)
  enum OnMain {
    static func run(_ context: TaskContext<Void>) { context[Log.self]?.append(isOnMainActor) }
  }
}
