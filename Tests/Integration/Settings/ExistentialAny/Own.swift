// settings: .enableUpcomingFeature("ExistentialAny")
import TaskKit

protocol Screen: Sendable {}

struct Start: Screen {}

@EventTask(event: .didBecomeActive)
enum ChooseScreen {
  static func run() -> (any Screen)? { Start() }
}
