import TaskKit

@EventTask(event: .didFinishLaunching)
enum Prepare {
  static func run() {}
}

// What only the whole graph shows stops the build before the macros are asked, so the rest is said with it.
@EventTask(event: .didFinishLaunching, dependencies: [Nothing.self])  // error: needs 'Nothing', which is not declared
enum Show {
  static func run() {}
}

@EventTask(event: .didFinishLaunching, retry: .attempts(0))  // error: 'attempts' is 0; write 1 or more
enum Never {
  static func run() {}
}

@EventTask(event: .didFinishLaunching, timeout: .zero)  // error: a timeout of '.zero' is over before the task starts
enum Instantly {
  static func run() {}
}

// error: dependency 'Prepare' is listed twice
@EventTask(event: .didFinishLaunching, dependencies: [Prepare.self, Prepare.self])
enum NeedsTwice {
  static func run() {}
}

@EventTask(event: .didFinishLaunching, after: ["Prepare", "Prepare"])  // error: 'Prepare' is listed twice in 'after:'
enum FollowsTwice {
  static func run() {}
}

@EventTask(event: .didFinishLaunching, after: ["FollowsItself"])  // error: task 'App.FollowsItself' runs after itself
enum FollowsItself {
  static func run() {}
}
