public import TaskKit

@EventTask(event: .didBecomeActive)
enum Open {
  static func run() {}
}

@TaskModule
final class Store: Sendable {
  @ModuleTask(event: .didBecomeActive, dependencies: [Open.self])
  func open() async throws -> Int { 1 }

  @ModuleTask(event: .openURL)
  func read(_ request: OpenURLRequest) -> Bool { false }
}

@TaskModule(dependencies: [Store.self])
@MainActor public final class Screen {
  let store: Store
  init(store: Store) { self.store = store }

  @ModuleTask(event: .didBecomeActive)
  func show() { print("screen") }

  @ModuleTask(event: .openURL)
  func open(_ context: TaskContext<OpenURLRequest>) async -> Bool { true }

  @ModuleTask(events: .didEnterBackground, .willTerminate, lane: Lane("screen"))
  nonisolated func save() throws {}
}

@TaskModule(dependencies: [Screen.self])
actor Journal {
  private var lines = 0
  init(screen: Screen?) async throws {}

  @ModuleTask(event: .didBecomeActive)
  func write() { lines += 1 }

  @ModuleTask(event: .didEnterBackground, needs: ["write"])
  nonisolated func close() async {}
}
