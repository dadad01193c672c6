// plugin: none
import TaskKit

// The compiler's own words, where no generator speaks first, and those of the macro, which gets to see a protocol alone.

// error: 'member' macro cannot be attached to global function
// error: 'extension' macro cannot be attached to global function
@EventTask(event: .didFinishLaunching)
func show() {}

@EventTask(event: .didFinishLaunching)  // error: '@EventTask' declares a task by a type, and this is a protocol; move it
protocol Runnable {
  static func run()
}

@TaskModule  // error: '@TaskModule' declares a module by a type with one instance, and this is a protocol; move it to a
protocol Storage {}
