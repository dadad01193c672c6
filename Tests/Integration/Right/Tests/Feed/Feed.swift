// configurations: debug
import TaskKit

@EventTask(event: .didFinishLaunching)
enum Refresh {
  static func run() {}
}
