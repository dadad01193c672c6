import Middle
import TaskKit

@EventTask(event: .didFinishLaunching, after: ["Core.Internal", "Packaged"])
enum LoadRight {
  static func run() { print("right") }
}

@EventTask(event: .didFinishLaunching)
enum Advertise {
  static func run() { print("advertise") }
}
