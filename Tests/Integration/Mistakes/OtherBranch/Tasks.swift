import TaskKit

#if DEBUG
@EventTask(event: .didFinishLaunching, dependencies: [Measure.self])  // error: under a condition that excludes its own
enum Trace {
  static func run() {}
}
#else
@EventTask(event: .didFinishLaunching)  // note: 'App.Measure' is declared here
enum Measure {
  static func run() {}
}
#endif
