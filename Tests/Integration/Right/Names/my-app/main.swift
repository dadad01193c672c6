import Mail
import News
import TaskKit
import my_module

@EventTask(event: .didBecomeActive, after: ["my_module.Refresh", "Mail.Refresh", "News.News.Refresh"])
enum Refresh {
  static func run() { print("my-app") }
}

let center = TaskCenter(registry: .generated, configuration: .init(maximumConcurrency: 1))
let report = await center.send(.didBecomeActive)
for name in report.tasks.map(\.name).sorted() { print(name) }

// prints: Mail of Mail
// prints: Refresh of Mail
// prints: News.Refresh of News
// prints: Refresh of News
// prints: my-module
// prints: my-app
// prints: Mail.Mail
// prints: Mail.Refresh
// prints: News.News.Refresh
// prints: News.Refresh
// prints: my_app.Refresh
// prints: my_module.Refresh
