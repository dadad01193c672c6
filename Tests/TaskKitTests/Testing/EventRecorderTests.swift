import TaskKit
import TaskKitTesting
import Testing

@Suite struct EventRecorderTests {
  @Test func `everything is written down from the recorder's making on`() async throws {
    let center = try TaskCenter.with(
      [.event(.alpha, name: "a") { _ in }, .event(.alpha, name: "b") { _ in throw Broken() }], limit: 1)
    await center.send(.beta)
    let recorder = EventRecorder(center)
    await center.send(.alpha)
    #expect(
      await recorder.words(until: "eventEnded alpha") == [
        "eventStarted alpha", "taskStarted a", "taskEnded a: succeeded", "taskStarted b", "taskEnded b: failed: broken",
        "eventEnded alpha",
      ])
    #expect(recorder.events.count == 6)
    recorder.clear()
    #expect(recorder.words.isEmpty)
  }

  @Test func `what has happened already is not waited for, and so often means so often`() async throws {
    let center = try TaskCenter.with([.event(.alpha, name: "a") { _ in }])
    let recorder = EventRecorder(center)
    async let third = recorder.words(until: "eventEnded alpha", count: 3)
    for _ in 0..<4 { await center.send(.alpha) }
    #expect(await third.count == 12)
    await recorder.words(until: "eventEnded alpha", count: 4)
    #expect(await recorder.words(until: "taskStarted a", count: 2).count == 6)
  }

  @Test func `who is cancelled no longer waits`() async {
    let recorder = EventRecorder(TaskCenter())
    let waiting = Task { await recorder.words(until: "never") }
    waiting.cancel()
    #expect(await waiting.value == [])
  }

  @Test func `it keeps nothing alive, and ends with its last holder`() async throws {
    weak var center: TaskCenter?
    do {
      let held = TaskCenter()
      center = held
      let recorder = EventRecorder(held)
      await held.send(.alpha)
      await recorder.words(until: "eventEnded alpha")
    }
    await waitUntil { center == nil }
    #expect(center == nil)
  }
}
