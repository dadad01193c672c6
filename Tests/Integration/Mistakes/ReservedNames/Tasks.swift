import TaskKit

@EventTask(event: .didFinishLaunching)
enum Show {
  typealias Output = String  // error: 'Output' is a member that '@EventTask' adds to 'Show'
  static func run() -> String { "" }
}

@EventTask(event: .didFinishLaunching)
enum Register {
  static let registration = 1  // error: 'registration' is a member that '@EventTask' adds to 'Register'
  static func run() {}
}
