import TaskKit

/// Reads which version of the database this is: nice to know, no more.
@EventTask(
  priority: .low, events: .willFinishLaunching, .databaseChanged, dependencies: [LocateDatabase.self],
  onFailure: .ignore)
public enum ReadVersion {
  public static func run(_ context: TaskContext<LaunchOptions>) throws -> String {
    let database = try context.output(of: LocateDatabase.self)
    // Apple's own file, or the first line of the text form.
    let (name, text) = try database.text(ofFirst: ["+VERSION", "version", "tzdata.zi"])
    let version =
      name == "tzdata.zi"
      ? SourceTable.version(in: text) : text.split(whereSeparator: \.isWhitespace).first.map(String.init)
    guard let version, version.count < 20 else {
      throw ZoneDataError(path: database.path(of: name), reason: "it does not say which version the database is")
    }
    return version
  }
}
