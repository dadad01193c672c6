import TaskKit

// The compiler's own words; all but the first follow from it.
// error: has no member 'didFinishLaunch'
// error: generic parameter 'Payload' could not be inferred
// error: generic parameter 'Reply' could not be inferred
@EventTask(event: .didFinishLaunch)
enum OpenDatabase {  // generated error: type 'OpenDatabase' has no member 'registration'
  static func run() {}
}
