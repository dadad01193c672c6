import TaskKit

@EventTask(event: .willFinishLaunching, dependencies: [Show.self])  // error: which runs at 'didBecomeActive'
enum Prepare {
  static func run() {}
}

@EventTask(event: .didBecomeActive, after: ["Shw"])  // warning: did you mean 'Show'?
enum Decorate {
  static func run() {}
}

@EventTask(event: .didBecomeActive, dependencies: [Nothing.self])  // error: 'Nothing', which is not declared in module 'App'
enum Finish {
  static func run() {}
}
