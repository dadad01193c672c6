import TaskKit

@EventTask(event: .didFinishLaunching)
struct Show {
  let title: String
  func run() {}  // error: each run makes a new 'Show', which has no 'init()' in its body; make 'run' static
}

@EventTask(event: .didFinishLaunching)
enum Open {
  case only
  func run() {}  // error: each run makes a new 'Open', which has no 'init()' in its body
}

@EventTask(event: .didFinishLaunching)
final class Connect {
  init(host: String) {}
  func run() {}  // error: each run makes a new 'Connect', which has no 'init()' in its body
}
