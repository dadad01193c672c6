import TaskKit

@EventTask(event: .didFinishLaunching)
enum Show {
  typealias Output = String  // error: 'Output' is a member that '@EventTask' adds to 'Show'
  static func run() -> String { "" }
}
