import Foundation
import TaskKit
import ZoneData

/// Looks for contradictions in the database. Costs time and rarely finds something, so it is switched off unless
/// `WORLDCLOCK_VERIFY` is set.
@EventTask(priority: .low, events: .didFinishLaunching, .databaseChanged, dependencies: [BuildAtlas.self])
enum VerifyAtlas {
  static var isEnabled: Bool { ProcessInfo.processInfo.environment["WORLDCLOCK_VERIFY"] != nil }

  static func run(_ context: TaskContext<LaunchOptions>) throws {
    for contradiction in try context.output(of: BuildAtlas.self).contradictions() {
      context[Notices.self]?.add(contradiction)
    }
  }
}
