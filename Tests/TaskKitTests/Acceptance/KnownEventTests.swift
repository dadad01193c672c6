import TaskKit
import TaskKitTesting
import Testing

/// The moments of RWTaskKit, each an event (R11), and what is no longer special: own events in their reserved places.
@Suite struct KnownEventTests {
  private let plain: [LifecycleEvent<Void, Void>] = [
    .willEnterForeground, .didEnterBackground, .didBecomeActive, .willResignActive, .didReceiveMemoryWarning,
    .willTerminate, .significantTimeChange, .backgroundRefreshStatusDidChange, .userDidTakeScreenshot, .idle, .reload,
  ]

  @Test func `each has a name of its own, and the launch events alone happen once`() {
    let launch: [LifecycleEvent<LaunchOptions, Void>] = [.willFinishLaunching, .didFinishLaunching]
    let turns: [LifecycleEvent<InterfaceOrientation, Void>] = [
      .willChangeStatusBarOrientation, .didChangeStatusBarOrientation,
    ]
    let openURL = LifecycleEvent<OpenURLRequest, Bool>.openURL
    let names = plain.map(\.name) + launch.map(\.name) + turns.map(\.name) + [openURL.name]
    #expect(
      names.sorted() == [
        "backgroundRefreshStatusDidChange", "didBecomeActive", "didChangeStatusBarOrientation", "didEnterBackground",
        "didFinishLaunching", "didReceiveMemoryWarning", "idle", "openURL", "reload", "significantTimeChange",
        "userDidTakeScreenshot", "willChangeStatusBarOrientation", "willEnterForeground", "willFinishLaunching",
        "willResignActive", "willTerminate",
      ])
    #expect(launch.allSatisfy { $0.isOnce })
    #expect(plain.allSatisfy { !$0.isOnce } && turns.allSatisfy { !$0.isOnce } && !openURL.isOnce)
  }

  @Test func `a task of each runs when it is sent`() async throws {
    let center = try TaskCenter.with(plain.map { event in .event(event, name: TaskName(event.name)) { _ in } })
    for event in plain {
      #expect(await center.send(event).outcomes == [event.name: "succeeded"])
    }
  }

  @Test func `a turn of the interface carries the orientation`() async throws {
    let seen = Recorder()
    let center = try TaskCenter.with([
      .event(.willChangeStatusBarOrientation, name: "task") { context in seen.note("\(context.payload)") }
    ])
    await center.send(.willChangeStatusBarOrientation, .landscapeLeft)
    #expect(seen.notes == ["landscapeLeft"])
  }
}
