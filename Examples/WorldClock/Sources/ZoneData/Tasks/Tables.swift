import TaskKit

/// The tables beside the zones. Each of them may be missing, and something else then takes its place.
public enum Tables {
  /// The names of the countries. Without them a country is found by its code.
  @EventTask(events: .didFinishLaunching, .databaseChanged, dependencies: [LocateDatabase.self], onFailure: .ignore)
  public enum ReadCountries {
    public static func run(_ context: TaskContext<LaunchOptions>) throws -> CountryTable {
      let database = try context.output(of: LocateDatabase.self)
      return try CountryTable(path: database.path(of: "iso3166.tab"), text: database.text(of: "iso3166.tab"))
    }
  }

  /// Which zones are used where. Without it `zone.tab` is read.
  @EventTask(events: .didFinishLaunching, .databaseChanged, dependencies: [LocateDatabase.self], onFailure: .ignore)
  public enum ReadPlaces {
    public static func run(_ context: TaskContext<LaunchOptions>) throws -> PlaceTable {
      let database = try context.output(of: LocateDatabase.self)
      return try PlaceTable(path: database.path(of: "zone1970.tab"), text: database.text(of: "zone1970.tab"))
    }
  }

  /// Which names are links. Without it symbolic links tell.
  @EventTask(events: .didFinishLaunching, .databaseChanged, dependencies: [LocateDatabase.self], onFailure: .ignore)
  public enum ReadLinks {
    public static func run(_ context: TaskContext<LaunchOptions>) throws -> [String: String] {
      let database = try context.output(of: LocateDatabase.self)
      return try SourceTable(path: database.path(of: "tzdata.zi"), text: database.text(of: "tzdata.zi")).links
    }
  }

  /// Leap seconds. Nothing but a line of the greeting comes from them.
  @EventTask(
    priority: .low, events: .didFinishLaunching, .databaseChanged, dependencies: [LocateDatabase.self],
    onFailure: .ignore)
  public enum ReadLeapSeconds {
    public static func run(_ context: TaskContext<LaunchOptions>) throws -> LeapSecondTable {
      let database = try context.output(of: LocateDatabase.self)
      let (name, text) = try database.text(ofFirst: LeapSecondTable.fileNames)
      let table = try LeapSecondTable(path: database.path(of: name), text: text)
      if let expires = table.expires, let now = context.payload[LaunchInstant.self], expires < now {
        context[Notices.self]?.add("\(database.path(of: name)): this table of leap seconds has expired")
      }
      return table
    }
  }
}
