import Foundation
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
    let turn = LifecycleEvent<InterfaceTurn, Void>.willChangeStatusBarOrientation
    let turned = LifecycleEvent<InterfaceOrientation, Void>.didChangeStatusBarOrientation
    let openURL = LifecycleEvent<OpenURLRequest, Bool>.openURL
    let names = plain.map(\.name) + launch.map(\.name) + [turn.name, turned.name, openURL.name]
    #expect(
      names.sorted() == [
        "backgroundRefreshStatusDidChange", "didBecomeActive", "didChangeStatusBarOrientation", "didEnterBackground",
        "didFinishLaunching", "didReceiveMemoryWarning", "idle", "openURL", "reload", "significantTimeChange",
        "userDidTakeScreenshot", "willChangeStatusBarOrientation", "willEnterForeground", "willFinishLaunching",
        "willResignActive", "willTerminate",
      ])
    #expect(launch.allSatisfy { $0.isOnce })
    #expect(plain.allSatisfy { !$0.isOnce } && !turn.isOnce && !turned.isOnce && !openURL.isOnce)
  }

  /// Whether one task of the event runs, and gets what was sent.
  private func expect<Payload: Sendable, Reply: Sendable>(
    _ event: LifecycleEvent<Payload, Reply>, with payload: Payload, tells words: String,
    _ read: @escaping @Sendable (Payload) -> String
  ) async throws {
    let seen = Recorder()
    let center = try TaskCenter.with([
      .event(event, name: "task") { (context: TaskContext<Payload>) in seen.note(read(context.payload)) }
    ])
    #expect(await center.send(event, payload).outcomes == ["task": "succeeded"], "\(event.name)")
    #expect(seen.notes == [words], "\(event.name)")
  }

  /// All of R11 but the two reserved places, which are own events now.
  @Test func `a task of each runs when it is sent`() async throws {
    for event in plain { try await expect(event, with: (), tells: "nothing") { _ in "nothing" } }
    for event in [LifecycleEvent<LaunchOptions, Void>.willFinishLaunching, .didFinishLaunching] {
      try await expect(
        event, with: LaunchOptions(arguments: ["app", "--quiet"], reason: .prewarmed), tells: "app --quiet prewarmed"
      ) {
        "\($0.arguments.joined(separator: " ")) \($0.reason)"
      }
    }
    try await expect(
      .willChangeStatusBarOrientation, with: InterfaceTurn(to: .landscapeLeft, duration: .seconds(1)),
      tells: "landscapeLeft 1.0 seconds"
    ) { "\($0.orientation) \($0.duration)" }
    try await expect(.didChangeStatusBarOrientation, with: .portrait, tells: "portrait") { $0.rawValue }
    let page = try #require(URL(string: "notes://today"))
    try await expect(.openURL, with: OpenURLRequest(page, opensInPlace: true), tells: "notes://today true") {
      "\($0.url) \($0.opensInPlace)"
    }
  }

  @Test func `who opens a URL says whether it did`() async throws {
    let center = try TaskCenter.with([
      .event(.openURL, name: "no", replying: { _ in false }),
      .event(.openURL, name: "yes", replying: { $0.payload.url.scheme == "notes" }),
    ])
    for (text, answer) in [("notes://today", true), ("mail://today", false)] {
      let request = OpenURLRequest(try #require(URL(string: text)))
      #expect(await center.send(.openURL, request).reply(to: .openURL) == answer)
    }
  }
}
