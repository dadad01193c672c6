import TaskKit
import TaskKitDurable

// A snippet is compiled, not run.
let center: TaskCenter = { fatalError() }()
let scheduler: any BackgroundScheduler = { fatalError() }()

// MARK: - What is there with UIKit only

// The stay itself is held against the framework, and against stand-ins, in the tests.

@MainActor final class UIApplication {
  static let shared = UIApplication()
}

struct SystemBackgroundStay: BackgroundStay {
  init(_ application: UIApplication) {}

  func begin(_ name: String) -> (any BackgroundTime)? { nil }
}
