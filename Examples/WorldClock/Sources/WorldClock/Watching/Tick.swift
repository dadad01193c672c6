import TaskKit
import ZoneIndex

/// Shows the clocks each second. Intervals are counted from the end of the launch.
@ScheduleTask(every: .seconds(1), dependencies: [OpenScreen.self, BuildAtlas.self])
enum Tick {
  @MainActor static func run(_ context: TaskContext<ScheduledRun>) async throws {
    let screen = try context.output(of: OpenScreen.self)
    // The time of the slot, not of the run: a machine that is busy skips no second.
    let instant = Int64(context.payload.scheduledFor.timeIntervalSince1970.rounded(.down))
    let answers = await context.center.answers(to: screen.queries, at: instant)
    context.center.module(Face.self)?.show(answers.clocks, on: screen)
  }
}
