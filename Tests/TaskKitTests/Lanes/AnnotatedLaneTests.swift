import Foundation
import TaskKit
import TaskKitTesting
import Testing

/// Lanes of tasks that were declared with the macros.
@Suite struct AnnotatedLaneTests {
  /// What declares a task that names a lane, besides an event (LaneLineTests).
  enum Kind: CaseIterable {
    case schedule, notification, sequence, method

    var task: TaskName {
      switch self {
      case .schedule: "TaskKitTests.LaneTasks.Scheduled"
      case .notification: "TaskKitTests.LaneTasks.Posted"
      case .sequence: "TaskKitTests.LaneTasks.Element"
      case .method: "TaskKitTests.LaneTasks.Keeper.work"
      }
    }

    var registry: TaskRegistry {
      get throws {
        switch self {
        case .schedule: try TaskRegistry(tasks: [LaneTasks.Scheduled.registration])
        case .notification: try TaskRegistry(tasks: [LaneTasks.Posted.registration])
        case .sequence: try TaskRegistry(tasks: [LaneTasks.Element.registration])
        case .method: try TaskRegistry(taskModules: [LaneTasks.Keeper.registration])
        }
      }
    }
  }

  @Test(.timeLimit(.minutes(15)), arguments: Kind.allCases, [Int.max, 1])
  func `an annotated task of every kind stands in the line of the lane that it names`(
    kind: Kind, limit: Int
  ) async throws {
    let work = LaneWork()
    var configuration = TaskCenter.Configuration(maximumConcurrency: limit)
    configuration.notificationCenter = NotificationCenter()
    let center = TaskCenter(
      registry: try kind.registry, configuration: configuration, time: .virtual(VirtualClock()))
    center[LaneTasks.Work.self] = work
    let lane = center.lane(LaneTasks.line)
    lane.pause()
    center.start()
    switch kind {
    case .schedule, .sequence: break
    case .notification: configuration.notificationCenter.post(name: .init("LaneTasks.Posted"), object: nil)
    case .method: center.begin(LifecycleEvent<Void, Void>("LaneTasks.Kept"))
    }
    await waitUntil { !lane.waiting.isEmpty || work.meter.inside > 0 }
    #expect(lane.waiting == [kind.task])
    let neighbour = lane.enqueue("neighbour") { await work.run() }
    lane.resume()
    await work.gate.arrivals()
    #expect(lane.running == kind.task)
    #expect(lane.waiting == ["neighbour"])
    // Whatever else could go on would have gone on by then: only the body is waited for.
    for _ in 0..<1000 { await Task.yield() }
    work.gate.open()
    #expect(await neighbour.outcome.isSuccess)
    await center.quiet()
    #expect(try center.statistics(of: kind.task).count == 1)
    #expect(work.meter.maximum == 1)
  }
}
