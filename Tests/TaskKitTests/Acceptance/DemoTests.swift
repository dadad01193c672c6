import TaskKit
import TaskKitTesting
import Testing

/// What RWTaskKit's demo shows, from annotation to report (RDt1, RDt2).
@Suite struct DemoTests {
  private func center(limit: Int) -> (TaskCenter, Recorder) {
    let recorder = Recorder()
    let center = TaskCenter(
      registry: .generated, configuration: .init(maximumConcurrency: limit), time: .virtual(VirtualClock()))
    center[Demo.Notes.self] = recorder
    return (center, recorder)
  }

  @Test func `a critical task runs before a high one that comes after names that nobody has, RDt1`() async {
    let (center, recorder) = center(limit: 1)
    let report = await center.send(.willFinishLaunching, LaunchOptions())
    #expect(recorder.notes == ["1", "2"])
    #expect(report[Demo.Task2.self]?.outcome.isSuccess == true)
  }

  @Test(arguments: [Int.max, 1])
  func `of two tasks of one priority the one that the other needs runs first, RDt2`(limit: Int) async {
    let (center, recorder) = center(limit: limit)
    let report = await center.send(.didFinishLaunching, LaunchOptions())
    #expect(recorder.notes == ["4", "3"])
    #expect(report.isSuccess)
  }
}
