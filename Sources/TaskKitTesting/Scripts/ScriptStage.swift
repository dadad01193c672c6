import TaskKit

/// Where a script is performed.
actor ScriptStage {
  /// An event that was begun, and what is known of its end.
  private struct Scene {
    let headline: String
    let order: [TaskName]
    let run: EventRun?
    var report: EventReport?
    /// What the end of the program has undone.
    var stops: [StopReport] = []
  }

  private let center: TaskCenter
  private let time: VirtualTime
  private var scenes: [Scene] = []
  /// Somebody waits until the center is quiet.
  private var awaitsQuiet = false
  /// Whoever does has begun at an earlier look: what that finds may not be so any more.
  private var isStale = false
  /// Who is told.
  private var quietMoment: AsyncStream<Void>.Continuation?
  /// What the end of the program has come to.
  private var shutdown: ShutdownReport?
  /// Who is told of that.
  private var shutdownMoment: AsyncStream<Void>.Continuation?

  init(_ center: TaskCenter, _ time: VirtualTime) {
    self.center = center
    self.time = time
  }

  private var clocks: [VirtualClock] { [time.continuous, time.suspending] }

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

  func start() { center.start() }

  func terminate() async {
    let (headline, order) = ("\(stamp): \(LifecycleEvent.willTerminate.name)", center.order(of: .willTerminate))
    let marks = clocks.map { $0.mark(in: center) }
    shutdown = nil
    // Awaited below.
    let ending = Task { [center] in
      let shutdown = await center.terminate()
      didShutDown(shutdown)
      return shutdown
    }
    while shutdown == nil {
      // What is due already only has to be heard of. Until it is, somebody may sleep whom it cancels, and for whom no time is
      // to pass.
      if let next = nextMomentOfEnd, next <= .zero {
        await Task.yield()
        continue
      }
      await standstill(since: marks)
      if shutdown == nil, let next = nextMomentOfEnd, next > .zero { time.advance(by: next) }
    }
    let shutdown = await ending.value
    scenes.append(
      Scene(headline: headline, order: order, run: nil, report: shutdown.termination, stops: shutdown.stops))
  }

  private func didShutDown(_ report: ShutdownReport) {
    shutdown = report
    shutdownMoment?.yield()
  }

  /// Returns when the program has ended, or its end needs time: somebody of it sleeps, or what it waits for does nothing.
  ///
  /// Who has slept before the marks is no concern of its tasks, unless they wait for that one; then it is cancelled.
  private func standstill(since marks: [TickClock.Mark]) async {
    let (moments, moment) = AsyncStream.makeStream(of: Void.self)
    shutdownMoment = moment
    // Ended below.
    var watches = [Task { [center] in if await center.shutdownRests(awaitsBodies: true) { moment.yield() } }]
    for (clock, mark) in zip(clocks, marks) {
      watches.append(
        Task {
          await clock.waitForSomebody(since: mark)
          moment.yield()
        })
      watches.append(
        Task { [center] in
          await clock.waitForSomebody()
          if await center.shutdownRests(awaitsBodies: false) { moment.yield() }
        })
    }
    for await _ in moments { break }
    for watch in watches {
      watch.cancel()
      await watch.value
    }
  }

  func settle() async {
    for scene in scenes.indices { await conclude(scene) }
  }

  private func conclude(_ scene: Int) async {
    guard scenes[scene].report == nil, let run = scenes[scene].run else { return }
    let report = await run.report
    scenes[scene].report = report
  }

  func pass(_ duration: Duration) async {
    let end = time.continuous.now.offset + duration
    while true {
      await stillness()
      // A body may have moved the clocks past the end.
      let left = max(.zero, end - time.continuous.now.offset)
      guard let next = nextMoment, next <= left else {
        time.advance(by: left)
        return await stillness()
      }
      // What is due already only has to be heard of.
      if next > .zero { time.advance(by: next) } else { await Task.yield() }
    }
  }

  /// How long until somebody is due: the center, or whoever sleeps on its clocks.
  private var nextMoment: Duration? { [center.timeUntilDue, nextAwakening].compactMap { $0 }.min() }

  /// The same at the end of the program, which may be due itself. Who sleeps is asked last: whom that or the center has cancelled by
  /// then sleeps no more.
  private var nextMomentOfEnd: Duration? {
    let moments = [center.timeUntilShutdownGoesOn, center.timeUntilDue]
    if center.isRinging { return .zero }
    return (moments + [nextAwakening]).compactMap { $0 }.min()
  }

  /// How long until somebody wakes who sleeps on the clocks.
  private var nextAwakening: Duration? {
    clocks.compactMap { clock in clock.nextDeadline.map { $0 - clock.now.offset } }.min()
  }

  /// Returns when nothing runs, or somebody who does waits for time to pass.
  private func stillness() async {
    let (moments, moment) = AsyncStream.makeStream(of: Void.self)
    quietMoment = moment
    awaitQuiet()
    // Ended by a sleeper, which is made below where there is none.
    let watches = clocks.map { clock in
      Task {
        await clock.waitForSomebody()
        moment.yield()
      }
    }
    for await _ in moments { break }
    for (clock, watch) in zip(clocks, watches) {
      let sleeper = Task { try? await clock.sleep(until: VirtualClock.Instant(offset: .seconds(Int64.max))) }
      await watch.value
      sleeper.cancel()
      await sleeper.value
    }
  }

  /// A look that a sleeper has ended leaves somebody behind who waits for quiet, and is enough for all the looks after it:
  /// each further one would be woken at every change of the center.
  private func awaitQuiet() {
    guard !awaitsQuiet else { return isStale = true }
    awaitsQuiet = true
    // Ended by the end of what runs.
    Task { [center] in
      await center.quiet()
      becameQuiet()
    }
  }

  private func becameQuiet() {
    awaitsQuiet = false
    if isStale {
      isStale = false
      awaitQuiet()
    } else {
      quietMoment?.yield()
    }
  }

  var transcript: LifecycleTranscript {
    LifecycleTranscript(
      lines: scenes.flatMap { scene in [scene.headline + status(of: scene)] + lines(of: scene) }.map(\.onOneLine))
  }

  private func status(of scene: Scene) -> String {
    guard let status = scene.report?.status, status != .completed else { return "" }
    return " (\(status))"
  }

  private func lines(of scene: Scene) -> [String] {
    guard let report = scene.report else { return [] }
    let outcomes = Dictionary(report.tasks.map { ($0.name, $0.outcome.description) }, uniquingKeysWith: { $1 })
    // The order of the law is that of when the event was sent; tasks may have joined while it waited for its turn.
    let joined = Set(outcomes.keys).subtracting(scene.order).sorted()
    return (scene.order + joined).compactMap { name in outcomes[name].map { "  \(name): \($0)" } }
      + scene.stops.map { "  \($0.name) stopped: \($0.outcome)" }
  }
}
