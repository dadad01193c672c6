import TaskKit

let center = TaskCenter(registry: .generated)
let options = LaunchOptions()

@EventTask(event: .didFinishLaunching)
enum BuildIndex {
  static func run() -> [String] { [] }
}
