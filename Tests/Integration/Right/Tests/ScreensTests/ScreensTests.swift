import TaskKit
import Testing

@testable import Feed
@testable import Mail

@EventTask(event: .didFinishLaunching, dependencies: [Feed.Refresh.self, Fetch.self])
enum CountTasks {
  static func run() {}
}

@Test func `a test target has a registry of its own`() async {
  let report = await TaskCenter(registry: .generated).send(.didFinishLaunching, LaunchOptions(arguments: []))
  #expect(report.isSuccess)
  #expect(report.tasks.map(\.name).sorted() == ["Feed.Refresh", "Mail.Fetch", "ScreensTests.CountTasks"])
}
