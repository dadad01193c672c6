import TaskKit

// The compiler's own words.
// error: 'member' macro cannot be attached to global function
// error: 'extension' macro cannot be attached to global function
@EventTask(event: .didFinishLaunching)
func show() {}

// error: 'member' macro cannot be attached to let
// error: 'extension' macro cannot be attached to let
@EventTask(event: .didFinishLaunching)
let value = 1
