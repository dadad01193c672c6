import TaskKit

@EventTask(event: .didFinishLaunching)
enum OpenCache {
  static func run() -> Int { 1 }
}

extension OpenCache {
  static var isEnabled: Bool { false }  // error: 'isEnabled' is declared in an extension of task 'App.OpenCache'

  static func stop(_ cache: Int) {}  // error: 'stop' is declared in an extension of task 'App.OpenCache'
}
