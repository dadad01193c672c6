import TaskKit

let center = TaskCenter(registry: .generated)

@EventTask(event: .didFinishLaunching)
enum OpenDatabase {
  static func run() {}
}
