import Foundation
import TaskKit
import TaskKitTesting

extension Timetable {
  /// The slot of a run, in seconds since the beginning.
  static func slot(of run: ScheduledRun) -> String {
    "\(Int((run.scheduledFor.timeIntervalSince1970 - 1_767_225_600).rounded()))"
  }

  /// A task that notes something of each run, of which the first one then waits at a gate.
  func task(
    _ schedule: TaskSchedule, name: TaskName = "tick", behind gate: Gate,
    noting note: @escaping @Sendable (ScheduledRun) -> String = Timetable.slot(of:)
  ) -> TaskDefinition {
    .schedule(schedule, name: name) { [recorder] context in
      recorder.note(note(context.payload))
      if context.payload.number == 1 { await gate.pass() }
    }
  }

  /// A task of an event that schedules may depend on. When it runs for that time it waits at a gate, and then fails.
  func opening(failing number: Int, behind gate: Gate) -> TaskDefinition {
    let openings = Recorder()
    return .event(.alpha, name: "open") { _ in
      openings.note("")
      guard openings.notes.count == number else { return }
      await gate.pass()
      throw Broken()
    }
  }

  /// Starts the center. The run of the first slot comes to its gate, the second slot comes meanwhile, and the alarm is set for
  /// the third one.
  ///
  /// - Parameter period: the time from one slot to the next, and to the first one.
  func startWithTwoSlots(every period: Duration, behind gate: Gate) async {
    center.start()
    await time.continuous.step(to: period)
    await gate.arrivals()
    await time.continuous.step(to: period * 2)
    await time.continuous.waitForSleeper(until: period * 3)
  }
}
