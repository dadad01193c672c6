import TaskKit

@EventTask(event: .willFinishLaunching)
enum Prepare {
  static func run() {}
}

@EventTask(event: .didFinishLaunching, after: ["Prepare"])  // warning: orders nothing between different occasions
enum Show {
  static func run() {}
}
