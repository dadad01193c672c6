import TaskKit
import ZoneData

/// What names lead to: those of zones, and those of cities.
enum Index {
  /// Names as they are written: `Europe/Berlin`, `US/Pacific`.
  @EventTask(events: .didFinishLaunching, .databaseChanged, dependencies: [ListZoneFiles.self])
  enum Names {
    static func run(_ context: TaskContext<LaunchOptions>) throws -> NameIndex {
      NameIndex(try context.output(of: ListZoneFiles.self).names.map { ($0, $0) })
    }
  }

  /// Other names, from the text form of the database; where it is missing, from symbolic links.
  @EventTask(events: .didFinishLaunching, .databaseChanged, dependencies: [ListZoneFiles.self, Tables.ReadLinks.self])
  enum Aliases {
    static func run(_ context: TaskContext<LaunchOptions>) throws -> AliasIndex {
      let listing = try context.output(of: ListZoneFiles.self)
      guard let links = try? context.output(of: Tables.ReadLinks.self) else {
        context[Notices.self]?.add("no tzdata.zi: aliases are told by symbolic links")
        return AliasIndex(links: listing.links)
      }
      let names = Set(listing.names)
      return AliasIndex(links: links.filter { names.contains($0.key) && names.contains($0.value) })
    }
  }

  /// The part of a name that is a place: `Berlin`. Leads to the proper name, so that no zone is found twice.
  @EventTask(events: .didFinishLaunching, .databaseChanged, dependencies: [ListZoneFiles.self, Aliases.self])
  enum Cities {
    static func run(_ context: TaskContext<LaunchOptions>) throws -> NameIndex {
      let aliases = try context.output(of: Aliases.self)
      return NameIndex(
        try context.output(of: ListZoneFiles.self).names.compactMap { name in
          guard let slash = name.lastIndex(of: "/"), !name.hasPrefix("Etc/") else { return nil }
          return (String(name[name.index(after: slash)...]), aliases.canonical(name))
        })
    }
  }

  /// The zones of countries: from `zone1970.tab`, otherwise from `zone.tab`, otherwise none.
  @EventTask(
    events: .didFinishLaunching, .databaseChanged,
    dependencies: [LocateDatabase.self, Tables.ReadPlaces.self, Tables.ReadCountries.self])
  enum Countries {
    static func run(_ context: TaskContext<LaunchOptions>) throws -> CountryIndex {
      let names = (try? context.output(of: Tables.ReadCountries.self))?.names ?? [:]
      let places = places(context)
      return CountryIndex(places: places.map { ($0.countries, $0.zone) }, names: names)
    }

    private static func places(_ context: TaskContext<LaunchOptions>) -> [PlaceTable.Place] {
      do {
        return try context.output(of: Tables.ReadPlaces.self).places
      } catch {
        do {
          let database = try context.output(of: LocateDatabase.self)
          let table = try PlaceTable(path: database.path(of: "zone.tab"), text: database.text(of: "zone.tab"))
          context[Notices.self]?.add("no zone1970.tab: countries come from zone.tab")
          return table.places
        } catch {
          context[Notices.self]?.add("neither zone1970.tab nor zone.tab: zones are not found by country")
          return []
        }
      }
    }
  }
}
