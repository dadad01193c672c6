import TaskKit

/// Where a script is performed.
actor ScriptStage {
  /// An event that was begun, and what is known of its end.
  private struct Scene {
    let headline: String
    let order: [TaskName]
    let run: EventRun?
    var report: EventReport?
  }

  private let center: TaskCenter
  private let time: VirtualTime
  private var scenes: [Scene] = []

  init(_ center: TaskCenter, _ time: VirtualTime) {
    self.center = center
    self.time = time
  }

  private var stamp: String { "at \(time.continuous.now.offset)" }

  func begin<Payload: Sendable, Reply: Sendable>(_ event: LifecycleEvent<Payload, Reply>, _ payload: Payload) {
    let order = center.order(of: event)
    scenes.append(Scene(headline: "\(stamp): \(event.name)", order: order, run: center.begin(event, payload)))
  }

  func send<Payload: Sendable, Reply: Sendable>(_ event: LifecycleEvent<Payload, Reply>, _ payload: Payload) async {
    begin(event, payload)
    await conclude(scenes.count - 1)
  }

  func call(_ words: String, _ body: @Sendable (TaskCenter) async throws -> Void) async {
    var headline = "\(stamp): \(words)"
    do { try await body(center) } catch { headline += ": \(error)" }
    scenes.append(Scene(headline: headline, order: [], run: nil))
  }

  func settle() async {
    for scene in scenes.indices { await conclude(scene) }
  }

  private func conclude(_ scene: Int) async {
    guard scenes[scene].report == nil, let run = scenes[scene].run else { return }
    let report = await run.report
    scenes[scene].report = report
  }

  private var going: [EventRun] {
    scenes.compactMap { $0.report == nil ? $0.run : nil }.filter { $0.progress.ended < $0.progress.total }
  }

  func pass(_ duration: Duration) async {
    let end = time.continuous.now.offset + duration
    while true {
      let runs = going
      let left = end - time.continuous.now.offset
      if runs.isEmpty { return await time.advance(by: left, driving: center) }
      await whenFirstEnded(of: runs, orWaiting: time.continuous)
      guard !going.isEmpty else { continue }
      guard let next = time.continuous.nextDeadline, next <= end else { return time.advance(by: left) }
      time.advance(by: next - time.continuous.now.offset)
    }
  }

  /// Returns when one of the runs has ended, or somebody waits for the clock.
  private func whenFirstEnded(of runs: [EventRun], orWaiting clock: VirtualClock) async {
    let (moments, moment) = AsyncStream.makeStream(of: Void.self)
    // Ended by the ends of the runs.
    for run in runs {
      Task {
        _ = await run.report
        moment.yield()
      }
    }
    // Ended by a sleeper, which is made below where there is none.
    let watch = Task {
      await clock.waitForSleepers()
      moment.yield()
    }
    for await _ in moments { break }
    let sleeper = Task { try? await clock.sleep(until: VirtualClock.Instant(offset: .seconds(Int64.max))) }
    await watch.value
    sleeper.cancel()
    await sleeper.value
  }

  var transcript: LifecycleTranscript {
    LifecycleTranscript(lines: scenes.flatMap { scene in [scene.headline + status(of: scene)] + lines(of: scene) })
  }

  private func status(of scene: Scene) -> String {
    guard let status = scene.report?.status, status != .completed else { return "" }
    return " (\(status))"
  }

  private func lines(of scene: Scene) -> [String] {
    guard let report = scene.report else { return [] }
    let outcomes = Dictionary(report.tasks.map { ($0.name, $0.outcome.description) }, uniquingKeysWith: { $1 })
    return scene.order.compactMap { name in outcomes[name].map { "  \(name): \($0)" } }
  }
}
