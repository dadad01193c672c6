public import TaskKit

/// Of no actor, and shared by all.
@TaskModule
public final class Settings: Sendable {
  public let language = "en"

  public init() { print("settings made") }

  @ModuleTask(event: .didFinishLaunching)
  public func load() { print("settings loaded") }

  // Not public, and called all the same.
  @ModuleTask(priority: .low, event: .didEnterBackground)
  func save() { print("settings saved") }
}

/// Without a task of its own: something that others share.
@TaskModule(creation: .atLaunch)
public actor Journal {
  private var lines: [String] = []

  public init() async throws { print("journal made") }

  public func write(_ line: String) { lines.append(line) }

  public var count: Int { lines.count }
}

extension LifecycleEvent<String, [String]> {
  public nonisolated static var search: Self { .init("search", reply: .merge(whenNobodyAnswers: []) { $0 + $1 }) }
}
