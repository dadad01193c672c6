import Feed
import Mail
import TaskKit

@EventTask(event: .didFinishLaunching, after: ["Feed.Refresh", "Fetch"])
enum Show {
  static func run() {}
}

@main
struct App {
  static func main() {
    print(TaskRegistry.generated.count)  // prints: 3
  }
}
