import TaskKit

struct Database: Sendable {
  let path: String
}

@EventTask(event: .willFinishLaunching)
enum OpenDatabase {
  static func run(_ options: LaunchOptions) -> Database {
    Database(path: options.environment["PROBE_DATABASE"] ?? "none")
  }

  static func stop(_ database: Database) async {
    say("closed \(database.path)")
  }
}

@EventTask(event: .didFinishLaunching, dependencies: [OpenDatabase.self])
enum StartServer {
  static func run() throws {
    if Mode.current.failsToLaunch { throw Broken() }
  }

  static func stop() async throws {
    say("server stops")
    switch Mode.current {
    case .deafStop:
      // Its share, as there are two stops.
      Probe.clock.advance(by: Probe.shutdownDeadline / 2)
      await never()
    case .brokenStop: throw Broken()
    default: break
    }
    say("server stopped")
  }
}

@EventTask(event: .didFinishLaunching, after: ["StartServer"])
enum Say {
  static func run(_ context: TaskContext<LaunchOptions>) async throws {
    say("launched \(context.payload.arguments.dropFirst().joined(separator: " "))")
    if Mode.current == .endlessLaunch { try await Task.sleep(for: .seconds(3600)) }
  }
}

@EventTask(event: .reload)
enum Reload {
  static func run() throws {
    say("reloaded")
    if Mode.current == .hungry { try thrash() }
  }
}

@EventTask(event: .didEnterBackground)
enum Save {
  static func run() async {
    say("background")
    if Mode.current == .deafBackground { await never() }
  }
}

@EventTask(event: .willEnterForeground)
enum Show {
  static func run() { say("foreground") }
}

@EventTask(event: .didReceiveMemoryWarning)
enum FreeMemory {
  static func run() { say("memory") }
}

@EventTask(event: .willTerminate)
enum Farewell {
  static func run() async {
    say("terminating")
    switch Mode.current {
    case .blocked: blockEveryThread()
    case .deafTermination: await never()
    default: break
    }
  }
}

struct Broken: Error, CustomStringConvertible {
  var description: String { "broken" }
}
