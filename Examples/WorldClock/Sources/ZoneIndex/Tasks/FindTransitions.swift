import TaskKit
import ZoneData

/// Finds the next change of every zone's clocks, so that no question has to wait for it.
@EventTask(events: .didFinishLaunching, .databaseChanged, dependencies: [ReadZones.self])
enum FindTransitions {
  static func run(_ context: TaskContext<LaunchOptions>) throws -> UpcomingTransitions {
    UpcomingTransitions(
      of: try context.output(of: ReadZones.self).zones.values, since: context.payload[LaunchInstant.self] ?? 0)
  }
}
