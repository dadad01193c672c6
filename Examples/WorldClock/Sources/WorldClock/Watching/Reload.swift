import Foundation
import TaskKit
import ZoneData
import ZoneIndex

extension Notification.Name {
  /// Another database is in use, with so many zones (``zoneCount``). The sender is the console of the watch.
  static let zonesDidChange = Notification.Name("ZonesDidChange")
}

/// The key of ``Foundation/NSNotification/Name/zonesDidChange`` for the number of zones.
let zoneCount = "zoneCount"

/// Reads the database again when it is told to (SIGHUP): the tasks of the launch build another atlas, and each tick after
/// that is answered from it.
@EventTask(event: .reload, dependencies: [OpenScreen.self])
enum Reload {
  @MainActor static func run(_ context: TaskContext<Void>) async throws {
    let screen = try context.output(of: OpenScreen.self)
    let report = await context.center.send(.databaseChanged, screen.options)
    if let reason = [report].reason(for: BuildAtlas.registration.name) {
      return screen.console.writeError("error: \(reason)")
    }
    let count = try await context.center.output(of: BuildAtlas.self).zones.zones.count
    NotificationCenter.default.post(name: .zonesDidChange, object: screen.console, userInfo: [zoneCount: count])
  }
}
