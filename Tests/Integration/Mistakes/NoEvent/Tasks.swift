import TaskKit

@EventTask  // error: '@EventTask' names no event; add one, as in 'event: .didFinishLaunching'
enum Show {
  static func run() {}
}

@EventTask(priority: .high)  // error: '@EventTask' names no event; add one
enum Open {
  static func run() {}
}
