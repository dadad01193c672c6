import Foundation
import TaskKit
import TaskKitTesting

/// A center whose scheduled tasks note when they run, on clocks that a test moves.
struct Timetable {
  let time: VirtualTime
  let recorder = Recorder()
  let center: TaskCenter

  init(time: VirtualTime = VirtualTime(), limit: Int = .max, chance: @escaping @Sendable () -> Double = { 0 }) {
    self.time = time
    center = TaskCenter(
      configuration: .init(maximumConcurrency: limit, chance: chance), time: time.source)
  }

  /// A task that notes its name and how many seconds have passed since the beginning.
  func task(
    _ schedule: TaskSchedule, name: TaskName = "tick", priority: Priority = .default,
    dependencies: [TaskDependency] = []
  ) -> TaskDefinition {
    .schedule(schedule, name: name, priority: priority, dependencies: dependencies) { [time, recorder] context in
      recorder.note(Self.note(context.name, at: time))
    }
  }

  static func note(_ name: TaskName, at time: VirtualTime) -> String {
    let seconds = time.continuous.now.offset / .seconds(1)
    return
      "\(name) \(seconds.formatted(.number.grouping(.never).precision(.fractionLength(0...3)).locale(Locale(identifier: "en_US_POSIX"))))"
  }

  /// Lets time pass, a step for each thing that is due.
  func pass(_ duration: Duration) async { await time.advance(by: duration, driving: center) }

  /// What ran so far.
  var notes: [String] { recorder.notes }
}
