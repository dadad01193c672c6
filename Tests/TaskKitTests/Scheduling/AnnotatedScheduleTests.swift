import Foundation
import TaskKit
import TaskKitTesting
import Testing

/// Scheduled tasks that were declared with the macro and collected by the plugin.
@Suite struct AnnotatedScheduleTests {
  @Test func `annotated tasks are collected, with their options, and run`() async throws {
    let time = VirtualTime()
    let recorder = Recorder()
    let center = TaskCenter(registry: .generated, time: time.source)
    center[ScheduledTasks.Log.self] = recorder
    center.start()
    await time.advance(by: .seconds(3 * 86_400), driving: center)
    #expect(recorder.notes.filter { $0 == "ThreeTimes" }.count == 3)
    #expect(recorder.notes.filter { $0 == "AfterThreeTimes" }.count == 3 * 1440)
    // 1 January 2026 is a Thursday; the center starts at 01:00 in Berlin.
    #expect(
      recorder.notes.filter { $0.hasPrefix("2026") }.sorted() == [
        "2026-01-01T02:30:00", "2026-01-01T02:30:00", "2026-01-02T02:30:00", "2026-01-02T02:30:00",
        "2026-01-03T02:30:00",
      ])
    #expect(try center.schedule(of: ScheduledTasks.Dated.self).runs == 2)
    #expect(try await center.output(of: ScheduledTasks.Dated.self) == 2)
    #expect(try center.schedule(of: ScheduledTasks.InSeconds.self).runs == 1)
    #expect(try center.schedule(of: "weekdays").next != nil)
  }
}
