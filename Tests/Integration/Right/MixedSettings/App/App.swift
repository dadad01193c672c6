// settings: .defaultIsolation(MainActor.self), .swiftLanguageMode(.v6)
import Core
import TaskKit

var title = ""

@EventTask(event: .didFinishLaunching, dependencies: [OpenDatabase.self])
struct Show {
  func run(_ context: TaskContext<LaunchOptions>) throws {
    title = "rows: \(try context.output(of: OpenDatabase.self))"
  }
}

@main
struct App {
  static func main() async {
    await TaskCenter(registry: .generated).send(.didFinishLaunching, LaunchOptions(arguments: []))
    print(title)  // prints: rows: 1
  }
}
