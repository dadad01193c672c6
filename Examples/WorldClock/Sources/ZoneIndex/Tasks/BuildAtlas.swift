import TaskKit
import ZoneData

/// Puts the parts together. Everything that leads here is as urgent as this.
@EventTask(
  priority: .critical, events: .didFinishLaunching, .databaseChanged,
  dependencies: [
    ReadZones.self, FindTransitions.self, Index.Names.self, Index.Aliases.self, Index.Cities.self, Index.Countries.self,
  ])
public enum BuildAtlas {
  public static func run(_ context: TaskContext<LaunchOptions>) throws -> Atlas {
    Atlas(
      zones: try context.output(of: ReadZones.self), names: try context.output(of: Index.Names.self),
      cities: try context.output(of: Index.Cities.self), countries: try context.output(of: Index.Countries.self),
      aliases: try context.output(of: Index.Aliases.self), upcoming: try context.output(of: FindTransitions.self))
  }
}
