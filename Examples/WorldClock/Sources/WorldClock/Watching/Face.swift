import Arguments
import Presentation
import TaskKit
import ZoneData
import ZoneIndex

/// The face of the watch: it has something to do at several moments and remembers what it showed, so it is a module.
@TaskModule
@MainActor final class Face {
  /// What was shown last, by zone.
  private var abbreviations: [String: String] = [:]

  /// Greets through a lane: a line at a time, whoever else has something to say there.
  @ModuleTask(event: .didFinishLaunching, dependencies: [OpenScreen.self])
  func greet(_ context: TaskContext<LaunchOptions>) throws {
    let screen = try context.output(of: OpenScreen.self)
    let center = context.center
    let instant = context.payload[LaunchInstant.self] ?? 0
    let greetings = center.lane(.greetings)
    greetings.enqueue("hint", priority: .low) { completion in
      // An API that calls back: the lane goes on when it has.
      screen.console.write("SIGHUP reads the database again, SIGTERM ends this") { completion.finish(with: $0) }
    }
    greetings.enqueue("welcome", priority: .high) { @MainActor in
      screen.console.write(screen.style.bold("Watching \(screen.queries.joined(separator: ", "))"))
    }
    greetings.enqueue("time of day") {
      let clocks = await center.answers(to: screen.queries, at: instant).clocks
      for clock in clocks { await screen.console.write(ClockTable.greeting(clock)) }
    }
  }

  /// Another time, another zone, another day: what was shown before says nothing about what comes.
  @ModuleTask(event: .significantTimeChange, dependencies: [OpenScreen.self])
  func adjust(_ context: TaskContext<Void>) throws {
    abbreviations = [:]
    let screen = try context.output(of: OpenScreen.self)
    let home = context[Invocation.self].flatMap { Home($0, environment: screen.options.environment)?.zone }
    screen.console.write(screen.style.dim("the time or its zone has changed; home is \(home ?? "unknown")"))
  }

  /// Shows clocks in one line, and tells of those that were changed since the line before.
  func show(_ clocks: [Clock], on screen: Screen) {
    for clock in clocks {
      let before = abbreviations.updateValue(clock.localTime.abbreviation, forKey: clock.name)
      guard let before, before != clock.localTime.abbreviation else { continue }
      screen.console.write(screen.style.bold("\(clock.name) goes from \(before) to \(clock.localTime.abbreviation)"))
    }
    screen.console.write(ClockTable(clocks).ticker)
  }
}
