import Core
import TaskKit

@EventTask(event: .didFinishLaunching)
enum OpenDatabase {
  static func run() -> Int { 7 }
}

protocol Searching {}

@TaskModule(dependencies: [Settings.self, Journal.self])
@MainActor final class Ads: Searching {
  private let settings: Settings
  private let journal: Journal?

  init(settings: Settings, journal: Journal?) {
    self.settings = settings
    self.journal = journal
    print("ads made")
  }

  @ModuleTask(priority: .high, event: .didFinishLaunching, dependencies: [OpenDatabase.self], timeout: .seconds(60))
  func load(_ context: TaskContext<LaunchOptions>) async throws -> Int {
    await journal?.write("loaded")
    print("ads loaded in \(settings.language), row \(try context.output(of: OpenDatabase.self))")
    return 3
  }

  @ModuleTask(event: .didFinishLaunching, needs: ["load"], after: [.optional("Nobody")])
  func show(_ context: TaskContext<LaunchOptions>) throws {
    print("ads shown: \(try context.output(named: "App.Ads.load", as: Int.self))")
  }

  @ModuleTask(events: .didEnterBackground, .willResignActive)
  func pause() { print("ads paused") }

  @ModuleTask(event: .openURL)
  func open(_ request: OpenURLRequest) -> Bool { request.url.path().contains("ad") }

  @ModuleTask(name: "find ads", event: .search)
  nonisolated func `default`(_ text: String) async -> [String] { ["ad for \(text)"] }
}

extension Ads {
  /// Nested in an extension, open to subclasses, made by hand.
  @TaskModule(name: "News", creation: .byRegistering)
  @MainActor class News: Searching {
    let title: String
    nonisolated init(title: String) { self.title = title }

    @ModuleTask(event: .search)
    func search(_ text: String) -> [String] { ["\(title) about \(text)"] }
  }
}

#if os(Linux) || os(macOS)
@TaskModule
actor Desktop {
  @ModuleTask(event: .didEnterBackground, runs: .once, lane: Lane("desktop"))
  func hide() { print("desktop hidden") }
}
#else
@TaskModule
actor Desktop {}
#endif
