import TaskKit

/// Finds the directory of the database. Without it there is no program, so nothing may delay it.
@EventTask(priority: .critical, event: .willFinishLaunching)
public enum LocateDatabase {
  // A payload is all that it needs, so it takes just that.
  public static func run(_ options: LaunchOptions) throws -> ZoneDatabase {
    try ZoneDatabase.locate(environment: options.environment)
  }
}
