import TaskKit

#if DEBUG
@EventTask(event: .didFinishLaunching, dependencies: [Measure.self])  // error: in another branch of the same '#if'
enum Trace {
  static func run() {}
}
#else
@EventTask(event: .didFinishLaunching)  // note: 'App.Measure' is declared here
enum Measure {
  static func run() {}
}
#endif
