import Screens
import TaskKit

// Without a task of its own, an app has those of all packages that it depends on, however deep.
@main
struct App {
  static func main() async {
    let center = TaskCenter(registry: .generated, configuration: .init(maximumConcurrency: 1))
    await center.send(.didFinishLaunching, LaunchOptions(arguments: []))
    for task in TaskRegistry.generated.registrations { print(task.name) }
    print(registry().count)
  }
}

// prints: open
// prints: refresh
// prints: fetch
// prints: show 2
// prints: Storage.OpenStorage
// prints: Feed.Refresh
// prints: Mail.Mail.Fetch
// prints: Screens.Show
// prints: 4
