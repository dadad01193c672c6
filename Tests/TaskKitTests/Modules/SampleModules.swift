import Synchronization
import TaskKit

// Modules for tests. What they do they note in the recorder that comes with the event, so that tests do not share anything.

extension LifecycleEvent<Recorder, Void> {
  nonisolated static var noted: Self { .init("noted") }
  nonisolated static var notedLater: Self { .init("notedLater") }
}

extension LifecycleEvent<Recorder, Bool> {
  nonisolated static var asked: Self { .init("asked", reply: .any) }
}

/// What several modules of the tests have in common.
protocol Greeting: AnyObject {
  var greeting: String { get }
}

@TaskModule
@MainActor final class Preferences: Greeting {
  var language = "en"
  nonisolated var greeting: String { "preferences" }

  @ModuleTask(event: .noted)
  func load(_ recorder: Recorder) {
    language = "de"
    recorder.note("preferences")
  }

  @ModuleTask(event: .asked)
  func ask(_ recorder: Recorder) -> Bool {
    recorder.note("preferences asked")
    return true
  }

  /// Without a mark: nobody calls it.
  func other(_ recorder: Recorder) { recorder.note("never") }
}

@TaskModule(dependencies: [Preferences.self])
@MainActor class Banner: Greeting {
  let preferences: Preferences
  nonisolated var greeting: String { "banner" }

  init(preferences: Preferences) { self.preferences = preferences }

  @ModuleTask(priority: .critical, event: .noted)
  func show(_ recorder: Recorder) { recorder.note("banner in \(preferences.language)") }

  @ModuleTask(event: .asked)
  func ask(_ context: TaskContext<Recorder>) async -> Bool {
    context.payload.note("banner asked")
    return false
  }
}

@TaskModule(dependencies: [Banner.self])
actor Counter {
  private(set) var count = 0
  private let banner: Banner?

  init(banner: Banner?) async { self.banner = banner }

  var hasBanner: Bool { banner != nil }

  @ModuleTask(event: .noted, needs: ["prepare"])
  func add(_ recorder: Recorder) -> Int {
    count += 1
    recorder.note("counter \(count)")
    return count
  }

  @ModuleTask(priority: .low, event: .noted, onFailure: .ignore)
  func prepare(_ recorder: Recorder) throws { recorder.note("counter prepared") }

  @ModuleTask(events: .asked, .notedLater)
  nonisolated func forEither() {}
}

/// Of no actor; synchronous, and yet asked for by several threads at once.
@TaskModule
final class Ledger: Sendable {
  static let created = Values<Ledger>()
  let entries = Mutex(0)

  init() { Ledger.created.append(self) }

  @ModuleTask(event: .notedLater) func first() { entries.withLock { $0 += 1 } }
  @ModuleTask(event: .notedLater) func second() { entries.withLock { $0 += 1 } }
  @ModuleTask(event: .notedLater) func third() async { entries.withLock { $0 += 1 } }
}

/// Who creates one is counted, of one test alone.
@TaskModule
final class Counted: Sendable {
  static let created = Values<Int>()
  let calls = Mutex(0)

  init() { Counted.created.append(1) }

  @ModuleTask(event: .notedLater) func first() { calls.withLock { $0 += 1 } }
  @ModuleTask(event: .notedLater) func second() async { calls.withLock { $0 += 1 } }
}

/// Nobody creates it.
@TaskModule(creation: .byRegistering)
final class Plugin: Sendable {
  let title: String

  init(title: String) { self.title = title }

  @ModuleTask(event: .noted)
  func start(_ recorder: Recorder) { recorder.note("plugin \(title)") }
}

/// Nor this.
@TaskModule(creation: .byRegistering)
final class OtherPlugin: Sendable {
  @ModuleTask(event: .noted)
  func start(_ recorder: Recorder) { recorder.note("other plugin") }
}

/// Its initialiser fails as often as it is told to.
@TaskModule
@MainActor final class Fragile {
  static var failures = 0

  init() throws {
    guard Self.failures == 0 else {
      Self.failures -= 1
      throw Broken()
    }
  }

  @ModuleTask(event: .noted, timeout: .seconds(60))
  func work(_ recorder: Recorder) { recorder.note("fragile") }
}

/// Made elsewhere than on the main actor.
@TaskModule
actor Weather {
  @ModuleTask(event: .noted)
  func look(_ recorder: Recorder) { recorder.note("weather") }
}

/// Of the main actor, and content without what it depends on.
@TaskModule(dependencies: [Weather.self])
@MainActor final class Forecast {
  private let weather: Weather?

  init(weather: Weather?) { self.weather = weather }

  @ModuleTask(event: .notedLater)
  func tell(_ recorder: Recorder) { recorder.note("forecast \(weather == nil ? "without" : "with") weather") }
}

// As the page about engines of apps writes modules. Nobody creates them but the test that registers them.

@TaskModule(creation: .byRegistering)
@MainActor final class Playback {
  private(set) var isPlaying = false

  @ModuleTask(event: .didBecomeActive)
  func resume() { isPlaying = true }

  @ModuleTask(priority: .high, event: .didEnterBackground)
  func pause() { isPlaying = false }
}

@TaskModule(creation: .byRegistering)
actor Session {
  let user: String
  private(set) var saved: [String] = []

  init(user: String) { self.user = user }

  @ModuleTask(events: .didEnterBackground, .willTerminate)
  func save() { saved.append(user) }
}
