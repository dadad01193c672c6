import TaskKit

@EventTask(event: .didFinishLaunching)
class Show {  // error: class 'Show' is not final, and a subclass would declare the same task again; add 'final'
  func run() {}
}

@EventTask(event: .didFinishLaunching)
open class Open {  // error: class 'Open' is not final
  func run() {}
}
