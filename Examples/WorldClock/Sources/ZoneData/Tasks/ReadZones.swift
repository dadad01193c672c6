import TaskKit

/// Reads all zones, some hundred files, a few of them at a time.
///
/// A type with `init()` gets a fresh instance for each run, so it can have properties.
@EventTask(
  priority: .high, events: .didFinishLaunching, .databaseChanged,
  dependencies: [LocateDatabase.self, ListZoneFiles.self],
  timeout: .seconds(10))
public struct ReadZones {
  let groups = 4

  public init() {}

  public func run(_ context: TaskContext<LaunchOptions>) async throws -> ZoneSet {
    let database = try context.output(of: LocateDatabase.self)
    let names = try context.output(of: ListZoneFiles.self).names
    let zones = try await withThrowingTaskGroup(of: ZoneSet.self) { group in
      for number in 0..<groups {
        group.addTask { [groups] in
          var part = ZoneSet()
          for index in stride(from: number, to: names.count, by: groups) {
            // The timeout cancels; this is how it is heard.
            try Task.checkCancellation()
            part.read(names[index], from: database)
          }
          return part
        }
      }
      return try await group.reduce(into: ZoneSet()) { $0.merge($1) }
    }
    for problem in zones.problems.values { context[Notices.self]?.add("\(problem)") }
    return zones
  }
}
