import Foundation
import TaskKit
import TaskKitTesting
import Testing

@globalActor private actor Archive {
  static let shared = Archive()
}

/// What a task sees: payloads, shared values, where it runs, and whether it runs at all (R8, R30-R33, Rt11-Rt13).
@Suite struct ContextTests {
  @Test func `launch options are seen by launch tasks only, Rt12`() async throws {
    let seen = Recorder()
    let center = try TaskCenter.with([
      .event(.willFinishLaunching, name: "will") { context in
        seen.note("\(context.event) \(context.payload.arguments) \(context.payload.reason == .background)")
      },
      .event(.didFinishLaunching, name: "did") { context in seen.note("\(context.event) \(context.payload.arguments)")
      },
      // The payload of this one is nothing: there is no way to see another.
      .event(.didBecomeActive, name: "later") { context in seen.note("\(context.event) \(context.payload)") },
    ])
    await center.send(.willFinishLaunching, LaunchOptions(arguments: ["one"], reason: .background))
    await center.send(.didFinishLaunching, LaunchOptions(arguments: ["two"]))
    await center.send(.didBecomeActive)
    #expect(
      seen.notes == [
        "willFinishLaunching [\"one\"] true", "didFinishLaunching [\"two\"]", "didBecomeActive ()",
      ])
  }

  @Test func `the payload of an occurrence never leaks into the next, Rt12`() async throws {
    let seen = Recorder()
    let (first, event) = (Gate(), LifecycleEvent<String, Void>("message"))
    let center = try TaskCenter.with([
      .event(event, name: "early") { context in if context.payload == "one" { await first.pass() } },
      .event(event, name: "late", dependencies: ["early"]) { context in seen.note(context.payload) },
    ])
    let one = center.begin(event, "one")
    await first.arrivals()
    // Comes while the other is half done.
    let two = center.begin(event, "two")
    first.open()
    _ = await (one.report, two.report)
    #expect(seen.notes == ["one", "two"])
  }

  @Test func `a payload lives as long as its occurrence and what the center keeps of it`() async throws {
    final class Page: Sendable {}
    let event = LifecycleEvent<Page, Void>("page")
    let center = try TaskCenter.with([.event(event, name: "task") { _ in }])
    weak var first: Page?
    do {
      let page = Page()
      first = page
      await center.send(event, page)
    }
    await center.send(event, Page())
    #expect(first == nil)
  }

  @Test func `launch options carry typed extras`() {
    enum Scene: SharedKey { typealias Value = String }
    enum Other: SharedKey { typealias Value = String }
    var options = LaunchOptions(arguments: [])
    #expect(options[Scene.self] == nil)
    options[Scene.self] = "main"
    #expect(options[Scene.self] == "main")
    #expect(options[Other.self] == nil)
    options[Scene.self] = nil
    #expect(options[Scene.self] == nil)
  }

  /// Whoever sends, each body runs where it says (R51, Rt11).
  @Test(arguments: [Int.max, 1])
  func `each task runs on its actor or off the main one, with the whole payload`(limit: Int) async throws {
    let event = LifecycleEvent<String, Void>("message")
    let seen = Recorder()
    @Sendable func note(_ name: String, _ payload: String) { seen.note("\(name) \(payload) \(isOnMainActor)") }
    let center = try TaskCenter.with(
      [
        .event(event, name: "synchronous") { context in note("synchronous", context.payload) },
        .event(event, name: "main") { @MainActor context in
          MainActor.assertIsolated()
          note("main", context.payload)
        },
        .event(event, name: "asynchronous") { context in
          await Task.yield()
          note("asynchronous", context.payload)
        },
        .event(event, name: "main, asynchronous") { @MainActor context in
          await Task.yield()
          MainActor.assertIsolated()
          note("main, asynchronous", context.payload)
        },
        .event(event, name: "archive") { @Archive context in
          Archive.assertIsolated()
          await Task.yield()
          Archive.assertIsolated()
          note("archive", context.payload)
        },
      ], limit: limit)
    let notes = [
      "archive text false", "asynchronous text false", "main text true", "main, asynchronous text true",
      "synchronous text false",
    ]
    // From a background task, from a detached one, from the main actor.
    await center.send(event, "text")
    #expect(seen.notes.sorted() == notes)
    _ = await Task.detached { await center.send(event, "text") }.value
    _ = await Task { @MainActor in await center.send(event, "text") }.value
    #expect(seen.notes.sorted() == (notes + notes + notes).sorted())
  }

  private enum Token: SharedKey { typealias Value = String }
  private enum Count: SharedKey { typealias Value = Int }

  @Test func `a value written by one task is read by a later one, and outside, Rt13`() async throws {
    let center = try TaskCenter.with([
      .event(.alpha, name: "writer") { context in context[Token.self] = "secret" },
      .event(.beta, name: "reader") { context in
        let token = context[Token.self]
        #expect(token == "secret")
        context[Token.self] = nil
      },
    ])
    #expect(center[Token.self] == nil)
    await center.send(.alpha)
    #expect(center[Token.self] == "secret")
    #expect(center[Count.self] == nil)
    await center.send(.beta)
    #expect(center[Token.self] == nil)
    center[Count.self] = 7
    #expect(center[Count.self] == 7)
    #expect(TaskCenter()[Count.self] == nil)
  }

  @Test func `a shared value that may be nil is told from none`() {
    enum Draft: SharedKey { typealias Value = String? }
    func words(_ draft: String??) -> String { draft.map { $0 ?? "empty" } ?? "none" }
    let center = TaskCenter()
    var options = LaunchOptions(arguments: [])
    #expect(words(center[Draft.self]) == "none")
    #expect(words(options[Draft.self]) == "none")
    center[Draft.self] = .some(nil)
    options[Draft.self] = .some(nil)
    #expect(words(center[Draft.self]) == "empty")
    #expect(words(options[Draft.self]) == "empty")
    center[Draft.self] = "text"
    #expect(words(center[Draft.self]) == "text")
    center[Draft.self] = nil
    #expect(words(center[Draft.self]) == "none")
  }

  @Test func `concurrent writers are free of races, Rt13`() async throws {
    let center = try TaskCenter.with(
      (0..<50).map { number in
        .event(.alpha, name: TaskName("\(number)")) { context in
          context[Count.self] = number
          await Task.yield()
          let value = context[Count.self]
          #expect(value.map { (0..<50).contains($0) } == true)
        }
      })
    #expect(await center.send(.alpha).isSuccess)
  }

  @Test func `a disabled task is skipped with the reason, and asked again at each occurrence`() async throws {
    let isEnabled = Values<Bool>()
    let center = try TaskCenter.with([
      // The form of the generated code: the body throws where `isEnabled` is false.
      .event(.alpha, name: "switch", retry: .attempts(3), onFailure: .stopEvent) { _ in
        if isEnabled.values.last != true { throw TaskDisabled() }
      },
      .event(.alpha, name: "needy", dependencies: ["switch"]) { _ in },
      .event(.alpha, name: "polite", after: ["switch"]) { _ in },
    ])
    let report = await center.send(.alpha)
    #expect(
      report.outcomes == [
        "switch": "skipped: disabled", "needy": "skipped: 'switch' did not end well", "polite": "succeeded",
      ])
    #expect(report["switch"]?.started == nil)
    #expect(report["switch"]?.attempts == 0)
    isEnabled.append(true)
    #expect(await center.send(.alpha).isSuccess)
    isEnabled.append(false)
    #expect(await center.send(.alpha).outcomes["switch"] == "skipped: disabled")
    #expect(try center.statistics(of: "switch").count == 1)
  }

  @Test func `a disabled task that runs once has not run`() async throws {
    let isEnabled = Values<Bool>()
    let center = try TaskCenter.with([
      .event(.alpha, name: "once", runs: .once) { _ in if isEnabled.values.isEmpty { throw TaskDisabled() } }
    ])
    #expect(await center.send(.alpha).outcomes == ["once": "skipped: disabled"])
    isEnabled.append(true)
    #expect(await center.send(.alpha).outcomes == ["once": "succeeded"])
    #expect(await center.send(.alpha).outcomes == [:])
  }
}
