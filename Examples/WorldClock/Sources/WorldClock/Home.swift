import Arguments
import Foundation
import TaskKit
import ZoneData
import ZoneIndex

/// The zone that the others are compared with: asked for, or the machine's own.
///
/// Whether there is one is known only now, so its task is made and injected at run time.
struct Home {
  static let taskName: TaskName = "home"

  let zone: String

  /// - Returns: nil if nobody says where home is.
  init?(_ invocation: Invocation, environment: [String: String]) {
    guard let zone = invocation.home ?? Home.zone(environment, file: invocation.zoneFile) else { return nil }
    self.zone = zone
  }

  /// Finds the zone at launch, as soon as there is an atlas. Its failure matters to nobody else.
  var definition: TaskDefinition {
    .event(
      .didFinishLaunching, name: Home.taskName, dependencies: [.task(BuildAtlas.self)], onFailure: .ignore,
      returning: { [zone] context in
        let atlas = try context.output(of: BuildAtlas.self)
        guard let name = atlas.names[zone].first ?? atlas.cities[zone].first, let found = atlas.zones.zones[name] else {
          throw UnknownHome(zone: zone)
        }
        return found
      })
  }

  /// What the file leads to. If none is given: `TZ`, if it is the name of a zone, or what `/etc/localtime` leads to.
  private static func zone(_ environment: [String: String], file: String?) -> String? {
    if file == nil, let text = environment["TZ"] {
      let name = text.hasPrefix(":") ? String(text.dropFirst()) : text
      // A path, or a rule such as `CET-1CEST,M3.5.0,M10.5.0/3`, is no name.
      return name.isEmpty || name.hasPrefix("/") || name.contains(",") ? nil : name
    }
    guard let target = try? FileManager.default.destinationOfSymbolicLink(atPath: file ?? "/etc/localtime"),
      let range = target.range(of: "zoneinfo/")
    else { return nil }
    return String(target[range.upperBound...])
  }
}

/// No zone is called like the one that was named as home.
struct UnknownHome: Error, CustomStringConvertible {
  let zone: String

  var description: String { "there is no zone '\(zone)' that could be home" }
}
