// settings: .swiftLanguageMode(.v5)
import TaskKit

// What version 5 still allows.
var unprotected = 0

class Base {
  var title = ""
}

@EventTask(event: .didBecomeActive)
final class Derived: Base {
  func run() {
    unprotected += 1
    title = "derived"
  }
}
