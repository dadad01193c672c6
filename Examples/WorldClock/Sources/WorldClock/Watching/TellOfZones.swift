import Foundation
import TaskKit

/// Says which zones there are now. Whoever posts does not know this task: it is synchronous and on the main actor like the
/// post, so it has run before that returns, and before the next tick.
@NotificationTask(.zonesDidChange, dependencies: [OpenScreen.self])
enum TellOfZones {
  @MainActor static func run(_ context: TaskContext<PostedNotification>) throws {
    let screen = try context.output(of: OpenScreen.self)
    // Notifications are the process's: one of another watch, as in tests, is none of this one's.
    guard context.payload.sender(as: Console.self) === screen.console,
      let count = context.payload.value(zoneCount, as: Int.self)
    else { return }
    screen.console.write(screen.style.dim("database read again: \(count) zones"))
  }
}
