import TaskKit

@EventTask(event: .didFinishLaunching)
enum Fetch {
  static func run() {}
}
