import TaskKit

@EventTask(event: .willFinishLaunching)  // note: the first annotation is here
@EventTask(event: .didFinishLaunching)  // error: 'Show' is a task already, and a type is one task
enum Show {
  static func run() {}
}
