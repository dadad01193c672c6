// plugin: none
// settings: .treatAllWarnings(as: .error), .defaultIsolation(MainActor.self)
import TaskKit

@EventTask(event: .didFinishLaunching)  // error: this task is not collected into a registry
enum Show {
  static func run() {}
}
