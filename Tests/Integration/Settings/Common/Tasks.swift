import Core
import TaskKit

@EventTask(priority: .high, event: .didFinishLaunching, dependencies: [OpenDatabase.self], onFailure: .ignore)
enum LoadRows {
  static func run(_ context: TaskContext<LaunchOptions>) throws -> Int {
    try context.output(of: OpenDatabase.self).count
  }
}

@EventTask(event: .didFinishLaunching, dependencies: [LoadRows.self], after: [.optional("Nobody")], lane: .display)
struct ShowRows {
  static var isEnabled: Bool { true }

  @MainActor func run(_ context: TaskContext<LaunchOptions>) async throws {
    print("show \(try context.output(of: LoadRows.self))")
  }
}

@EventTask(name: "ping", event: .didFinishLaunching, dependencies: [ShowRows.self], runs: .once)
actor Ping {
  func run(_ options: LaunchOptions) async { print("ping \(options.arguments.count)") }
}

@EventTask(events: .didBecomeActive, .openURL)
@MainActor
final class Refresh {
  func run() { print("refresh") }
}

enum Outer {
  @EventTask(event: .didBecomeActive, dependencies: [Refresh.self])
  nonisolated struct Inner {
    nonisolated func run() throws { print("inner") }
  }
}

@EventTask(event: .willTerminate, dependencies: [Outer.Inner.self, Refresh.self])
enum Save {
  static func run() async throws { print("save") }
}

extension Lane {
  nonisolated static let display = Lane("display")
}
