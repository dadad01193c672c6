// settings: .enableUpcomingFeature("NonisolatedNonsendingByDefault")
import TaskKit

@EventTask(event: .didBecomeActive)
enum Follow {
  static func run() async {}
}

@EventTask(event: .didBecomeActive)
struct Leave {
  @concurrent func run() async throws -> Int { 1 }
}

@EventTask(event: .didBecomeActive)
enum Stay {
  @MainActor static func run(_ context: TaskContext<Void>) async {}
}
