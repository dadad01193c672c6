import TaskKit
import ZoneData

/// Those who answer a query, each in its way. Replies are merged in the law's order: by priority.
enum Answering {
  /// By the name of a zone.
  @EventTask(priority: .high, event: .query, dependencies: [BuildAtlas.self])
  enum ByName {
    static func run(_ context: TaskContext<Query>) throws -> Answer {
      let atlas = try context.output(of: BuildAtlas.self)
      return atlas.answer(with: atlas.names[context.payload.text], at: context.payload.instant)
    }
  }

  /// By the name of a city.
  @EventTask(event: .query, dependencies: [BuildAtlas.self])
  enum ByCity {
    static func run(_ context: TaskContext<Query>) throws -> Answer {
      let atlas = try context.output(of: BuildAtlas.self)
      return atlas.answer(with: atlas.cities[context.payload.text], at: context.payload.instant)
    }
  }

  /// By the name or code of a country.
  @EventTask(priority: .low, event: .query, dependencies: [BuildAtlas.self])
  enum ByCountry {
    static func run(_ context: TaskContext<Query>) throws -> Answer {
      let atlas = try context.output(of: BuildAtlas.self)
      return atlas.answer(with: atlas.countries.zones(ofCountry: context.payload.text), at: context.payload.instant)
    }
  }

  /// "Did you mean …?", where none of the others found anything.
  @EventTask(
    priority: Priority(100), event: .query,
    dependencies: [BuildAtlas.self, ByName.self, ByCity.self, ByCountry.self])
  enum Suggesting {
    static func run(_ context: TaskContext<Query>) throws -> Answer {
      var answer = Answer()
      let others = try [
        context.output(of: ByName.self), context.output(of: ByCity.self), context.output(of: ByCountry.self),
      ]
      if !others.contains(where: \.isConclusive) {
        answer.suggestions = try context.output(of: BuildAtlas.self).suggestions(for: context.payload.text)
      }
      return answer
    }
  }
}
