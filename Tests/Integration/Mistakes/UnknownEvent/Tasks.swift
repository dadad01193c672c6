import TaskKit

// The compiler's own words; what it adds about 'Payload' and 'Reply' follows from the first.
@EventTask(event: .didFinishLaunch)  // error: has no member 'didFinishLaunch' // error: 'Payload' // error: 'Reply'
enum OpenDatabase {
  static func run() {}
}
