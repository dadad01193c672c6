// plugin: none
import TaskKit
import Testing

@testable import Feed
@testable import Mail

@Test func `a test target without the plugin puts registries together`() async throws {
  let registry = try TaskRegistry(modules: [_taskKit_Feed(), _taskKit_Mail()])
  let report = await TaskCenter(registry: registry).send(.didFinishLaunching, LaunchOptions(arguments: []))
  #expect(report.tasks.map(\.name).sorted() == ["Feed.Refresh", "Mail.Fetch"])
}
