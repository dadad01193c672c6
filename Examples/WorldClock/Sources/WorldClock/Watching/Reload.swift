import TaskKit
import ZoneData
import ZoneIndex

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
    screen.console.write(screen.style.dim("database read again: \(count) zones"))
  }
}
