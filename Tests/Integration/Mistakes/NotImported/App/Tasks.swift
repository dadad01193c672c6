import TaskKit

// error: task 'App.Show' needs 'OpenDatabase' of module 'Core', which this file does not import; add 'import Core'
@EventTask(event: .didFinishLaunching, dependencies: [OpenDatabase.self])
enum Show {
  static func run() {}
}
