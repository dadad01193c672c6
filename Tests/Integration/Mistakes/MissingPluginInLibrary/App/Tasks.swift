import Core
import TaskKit

@EventTask(event: .didFinishLaunching)
enum Show {  // generated error: cannot find '_taskKit_Core' in scope
  static func run() {}
}
