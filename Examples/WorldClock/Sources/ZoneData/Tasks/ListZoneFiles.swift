import TaskKit

/// Lists the zones. Three others wait for it, and inherit their urgency to it.
@EventTask(events: .didFinishLaunching, .databaseChanged, dependencies: [LocateDatabase.self], timeout: .seconds(10))
public enum ListZoneFiles {
  // LocateDatabase belongs to the event before: its latest output counts.
  public static func run(_ context: TaskContext<LaunchOptions>) throws -> ZoneListing {
    try ZoneListing(of: context.output(of: LocateDatabase.self))
  }
}
