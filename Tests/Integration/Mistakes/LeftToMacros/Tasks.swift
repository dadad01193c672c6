import TaskKit

// Each of these the macro refuses with a repair, and nothing else keeps the build from asking it.

@EventTask(event: .didFinishLaunching)
private enum Hidden {  // error: 'Hidden' is private, so the registry in another file cannot see it; make it internal
  static func run() {}
}

@EventTask(event: .didFinishLaunching, dependencies: [Hidden.self])
private enum Needy {  // error: 'Needy' is private
  static func run() {}
}

@EventTask(event: .didFinishLaunching)
enum Box<Content> {  // error: 'Box' is generic, and a task is one type; remove the generic parameters
  static func run() {}
}

@EventTask(event: .willFinishLaunching)  // note: the first annotation is here
@EventTask(event: .didFinishLaunching)  // error: 'Twice' is a task already, and a type is one task
enum Twice {
  static func run() {}
}

@EventTask(name: "", event: .didFinishLaunching)  // error: 'name:' is empty
enum Nameless {
  static func run() {}
}

@EventTask(name: "named.\(1)", event: .didFinishLaunching)  // error: 'name:' is not a plain string literal
enum Computed {
  static func run() {}
}

@EventTask(events: .didBecomeActive, .willTerminate, .didBecomeActive)  // error: event '.didBecomeActive' is listed twice
enum Eager {
  static func run() {}
}

@ScheduleTask(every: .seconds(1), count: 0)  // error: 'count:' is 0, so the task would never run
enum Never {
  static func run() {}
}
