import TaskKit

@EventTask(event: .didFinishLaunching)
struct Show {
  var isEnabled: Bool { true }  // error: 'isEnabled' is not static, and it is read before there is an instance
  func run() {}
}

@EventTask(event: .didFinishLaunching)
enum Open {
  static var isEnabled: Bool { get async { true } }  // error: 'isEnabled' is 'async', and it is read in passing
  static func run() {}
}

@EventTask(event: .didFinishLaunching)
enum Count {
  static func isEnabled() -> Bool { true }  // error: write 'static var isEnabled: Bool', or use another name
  static func run() {}
}
