import Synchronization

extension TaskCenter {
  /// Owns the process: launches, goes on until it is asked to shut down, and shuts down in order.
  ///
  /// ```swift
  /// @main struct Server {
  ///   static func main() async {
  ///     let center = TaskCenter(registry: .generated)
  ///     let report = await center.run(sources: [.signals, .memoryPressure, .clockChanges])
  ///     if !report.isSuccess { print(report) }
  ///   }
  /// }
  /// ```
  ///
  /// In this order: the sources begin to listen; ``LifecycleEvent/willFinishLaunching`` and
  /// ``LifecycleEvent/didFinishLaunching`` are sent, one after the other; ``start()`` is called. The body of an own source
  /// (``EventSource/init(_:_:)``) begins beside the launch. No thread is blocked meanwhile. The shutdown begins when a source
  /// asks for it, when somebody calls ``shutDown(because:)``, or when the calling task is cancelled, during the launch too; what
  /// it consists of says ``terminate(deadline:)``.
  ///
  /// - Parameters:
  ///   - sources: where events come from.
  ///   - options: the payload of the two launch events.
  ///   - failure: what happens when a task of these fails. By default the process goes on: what depends on the task is
  ///     skipped, and everything else has a right to run. A server that is useless without its database says `.shutDown`.
  ///   - shutdownDeadline: how long the shutdown may take. The default is less than the ten seconds after which Docker
  ///     kills a container that it stops.
  /// - Precondition: a center owns its process once.
  /// - Returns: after the shutdown, and not later than its deadline: what does not return by then is left to itself, and
  ///   the report names it.
  @concurrent
  @discardableResult
  public func run(
    sources: [EventSource], options: LaunchOptions = LaunchOptions(),
    ifLaunchFails failure: LaunchFailureRule = .goOn, shutdownDeadline: Duration = .seconds(9)
  ) async -> ProcessReport {
    let isFirst = lifetime.withLock { $0.begin(sources.map(\.name)) }
    precondition(isFirst, "'run(sources:)' was called twice; make a center for each process")
    let opened = sources.enumerated().compactMap { index, source in open(source, at: index) }
    // Both are cancelled below, and awaited for as long as the deadline allows.
    let passing = operate(opened.filter { !$0.source.outlivesShutdown })
    let lasting = operate(opened.filter(\.source.outlivesShutdown))
    // Cancelled by the shutdown, with all that is going. A body that does not return then must not hold it up.
    let launching = _Concurrency.Task { await self.launch(options, ifItFails: failure) }
    let reason = await withTaskCancellationHandler {
      await shutdownRequest()
    } onCancel: {
      requestShutdown(.cancelled)
    }
    passing.cancel()
    let shutdown = await beginShutdown(reason, deadline: shutdownDeadline).task.value
    lasting.cancel()
    let left = max(.zero, shutdownDeadline - shutdown.duration)
    _ = await result(within: left.nanoseconds) {
      // Its last event has ended, and its report is still on the way where a task of it asked for the shutdown.
      if shutdown.unfinished.isEmpty { await launching.value }
      await passing.value
      await lasting.value
    }
    return lifetime.withLock { ProcessReport(launch: $0.launch, sources: $0.sources, shutdown: shutdown) }
  }

  /// Asks for the shutdown of the process that this center owns. Returns at once; only the first request counts.
  ///
  /// May be called from anywhere, from inside a task too. Before
  /// ``run(sources:options:ifLaunchFails:shutdownDeadline:)`` it means that nothing is launched.
  ///
  /// - Parameter reason: why, in a few words: it is in the ``ShutdownReport``.
  public func shutDown(because reason: String? = nil) {
    requestShutdown(reason.map(ShutdownReason.because) ?? .requested)
  }

  /// Shuts the center down, and returns when that is done: for a program whose process belongs to a framework.
  ///
  /// Four steps, each with a share of the deadline; what one does not use, those that follow have:
  ///
  /// 1. ``LifecycleEvent/willTerminate`` is sent, with half of the deadline, or all of it when nothing else is to be
  ///    done. Where the program has sent it before, and that one is still going, waiting for it is part of that time.
  /// 2. From now on nothing begins any more: what is sent is refused. What is going is cancelled and may take half of the
  ///    rest to return, all of it when there is nothing to stop, and no task at work that would have to be if it succeeds; a
  ///    body that has timed out before is waited for as well, unless it is one of step 1, which has had its share.
  /// 3. Each task with a `stop` that has succeeded is stopped, in the reverse of the order in which they had been
  ///    started, one after the other. Each may take an equal part of what is left: with three to go and six seconds
  ///    left, two seconds. Of a center that keeps jobs (TaskKitDurable) they leave an eighth of the rest for closing the stores.
  /// 4. The report says who did not return in time, where it is declared, and how long it took. Calls that are
  ///    pending by then are never made.
  ///
  /// A center shuts down once: who asks again gets the same report. From inside a task or a job use
  /// ``shutDown(because:)``; awaited there, this would wait for that itself until its share has passed. A task that awaits it does
  /// not count against the limit of its center from then on.
  ///
  /// - Parameter deadline: how long all of it may take; counts for the first who asks.
  @concurrent
  @discardableResult
  public func terminate(deadline: Duration = .seconds(9)) async -> ShutdownReport {
    if let caller = WorkerBox.caller(in: self) {
      let now = self.now
      // For good: in a center that has shut down nothing else could want the slot back.
      receive(at: now) { $0.lendSlot(of: caller, now: $1) }
    }
    return await askForShutdown(deadline: deadline).task.value
  }

  /// The same for somebody who cannot wait longer than that, also where the shutdown has begun before with more time.
  ///
  /// - Returns: nil where it has not ended by then; it goes on.
  @concurrent
  func terminate(within deadline: Duration) async -> ShutdownReport? {
    let shutdown = askForShutdown(deadline: deadline)
    // It ends by itself then, and what it does last is to be waited for.
    if shutdown.isNew { return await shutdown.task.value }
    return await result(within: deadline.nanoseconds) { await shutdown.task.value }
  }

  /// The sources that ``run(sources:options:ifLaunchFails:shutdownDeadline:)`` was given, and what has become of them.
  public var sources: [EventSourceReport] { lifetime.withLock { $0.sources } }

  // MARK: - Requests

  var isShuttingDown: Bool { lifetime.withLock { $0.request != nil } }

  func requestShutdown(_ reason: ShutdownReason) {
    let waiter = lifetime.withLock { $0.ask(reason) }
    waiter?.resume(returning: reason)
  }

  private func shutdownRequest() async -> ShutdownReason {
    await withCheckedContinuation { continuation in
      let request = lifetime.withLock { $0.awaitRequest(continuation) }
      if let request { continuation.resume(returning: request) }
    }
  }

  private func askForShutdown(deadline: Duration) -> Shutdown {
    requestShutdown(.requested)
    return beginShutdown(lifetime.withLock { $0.request } ?? .requested, deadline: deadline)
  }

  // MARK: - Sources

  private typealias OpenSource = (source: EventSource, index: Int, body: @Sendable () async throws -> Void)

  /// Lets a source begin to listen.
  private func open(_ source: EventSource, at index: Int) -> OpenSource? {
    do {
      let body = try source.open(EventSink(center: self, source: index))
      tell(.sourceStarted(source.name))
      return (source, index, body)
    } catch {
      setState(Self.state(after: error), ofSource: index)
      return nil
    }
  }

  private func operate(_ sources: [OpenSource]) -> _Concurrency.Task<Void, Never> {
    // Ended by the shutdown.
    _Concurrency.Task {
      await withDiscardingTaskGroup { group in
        for source in sources {
          group.addTask {
            var state = EventSourceReport.State.ended
            do { try await source.body() } catch { state = Self.state(after: error) }
            self.setState(state, ofSource: source.index)
          }
        }
      }
    }
  }

  private static func state(after error: any Error) -> EventSourceReport.State {
    switch error {
    case is CancellationError: .ended
    case let error as EventSourceUnavailable: .unavailable(error.reason)
    default: .failed("\(error)")
    }
  }

  private func setState(_ state: EventSourceReport.State, ofSource index: Int) {
    let source = lifetime.withLock { lifetime in
      lifetime.sources[index].state = state
      return lifetime.sources[index]
    }
    switch state {
    case .unavailable, .failed: tell(.sourceFailed(source.name, source.description))
    case .listening, .ended: tell(.sourceEnded(source.name))
    }
  }

  func note(_ text: String, ofSource index: Int) {
    let name = lifetime.withLock { lifetime in
      lifetime.sources[index].notes.append(text)
      return lifetime.sources[index].name
    }
    tell(.sourceNoted(name, text))
  }

  func name(ofSource index: Int) -> String { lifetime.withLock { $0.sources[index].name } }

  func tell(_ kind: CenterEvent.Kind) {
    let now = self.now
    receive(at: now) { machine, now in
      if !machine.observers.isEmpty { machine.observe(kind, now: now) }
    }
  }

  // MARK: - Launch and shutdown

  private func launch(_ options: LaunchOptions, ifItFails failure: LaunchFailureRule) async {
    for event in [LifecycleEvent.willFinishLaunching, .didFinishLaunching] {
      guard !isShuttingDown else { return }
      let report = await send(event, options)
      lifetime.withLock { $0.launch.append(report) }
      guard failure == .shutDown else { continue }
      let failed = report.failures.map(\.name)
      if !failed.isEmpty { requestShutdown(.launchFailed(failed)) }
      if let refusal = report.refusal { requestShutdown(.launchRefused(report.event, refusal)) }
    }
    guard !isShuttingDown else { return }
    start()
    // They are kept as long as the process lives; what the tasks of the launch run, and what that holds, is not.
    let launch = lifetime.withLock { $0.launch }.map(\.settled)
    let unsettled = lifetime.withLock { lifetime in
      defer { lifetime.launch = launch }
      return lifetime.launch
    }
    // What goes with them is a user's code: not under the lock.
    withExtendedLifetime(unsettled) {}
  }

  /// The one shutdown, and whether it has begun just now; else it has the reason and the deadline of whoever asked first.
  private typealias Shutdown = (task: _Concurrency.Task<ShutdownReport, Never>, isNew: Bool)

  private func beginShutdown(_ reason: ShutdownReason, deadline: Duration) -> Shutdown {
    lifetime.withLock { lifetime in
      if let shutdown = lifetime.shutdown { return (shutdown, false) }
      // A task of its own, which ends with the deadline at the latest: whoever asked may have been cancelled. It belongs to no
      // body, not even to one that awaits it: what it sends must neither wait for the slot of that nor count as sent by it.
      let shutdown = WorkerBox.apart(from: WorkerBox.current) {
        _Concurrency.Task { await self.shutDown(reason, deadline: deadline) }
      }
      lifetime.shutdown = shutdown
      return (shutdown, true)
    }
  }

  @concurrent
  private func shutDown(_ reason: ShutdownReason, deadline: Duration) async -> ShutdownReport {
    let began = now
    let due = began.later(by: deadline.nanoseconds)
    tell(.shutdownStarted(reason.description))

    // What lives beside the center has something to end and to close as well.
    let hasCompanions = companions.withLock { !$0.isEmpty }
    let event = LifecycleEvent<Void, Void>.willTerminate
    let isAlone =
      !hasCompanions
      && receive { $0.goingCount == 0 && !$0.mayHaveToStop && !$0.hasStop(ofEvent: event.name) }
    let ending = isAlone ? deadline : deadline / 2
    // Also where the program has sent the event itself, and that one does not end.
    let termination = await begin(event, deadline: ending).report(by: began.later(by: ending.nanoseconds))

    // First: what of theirs awaits something of the center would take for a failure what is cancelled here.
    beginStopOfCompanions()
    let closing = now
    let hasStops = receive(at: closing) { machine, now in
      machine.close(now: now)
      return machine.mayHaveToStop
    }
    let share = max(0, due.earlier(by: closing)) / (hasStops ? 2 : 1)
    // Ended by its part of the share; the rest is for closing what they have open.
    let companions = _Concurrency.Task { await self.stopCompanions(within: share - share / 8) }
    let isRestForClosing = hasCompanions && !hasStops
    _ = await result(within: isRestForClosing ? share - share / 8 : share) { await self.untilReturned() }
    let unfinishedElsewhere = await companions.value
    let stopping = now
    let (bodies, list) = receive(at: stopping) { ($0.runningBodies(now: $1), $0.stops.take()) }
    var unfinished = bodies + unfinishedElsewhere

    // What ended last is written down when they are closed: the rest is for that, also behind a stop that hangs.
    let end = hasCompanions ? due.earlier(by: max(0, due.earlier(by: stopping)) / 8) : due
    var stops: [StopReport] = []
    for (index, entry) in list.enumerated() {
      let share = max(0, end.earlier(by: now)) / Int64(list.count - index)
      stops.append(await stop(entry.task, output: entry.output, within: share))
    }
    unfinished += await closeCompanions(within: max(0, due.earlier(by: now)))
    // Last, because what runs beside the center, and stops, may be called until then.
    closeCalls()
    return ShutdownReport(
      reason: reason, deadline: deadline, duration: .nanoseconds(now - began), termination: termination, stops: stops,
      unfinished: unfinished)
  }

  private func stop(_ task: TaskRegistration, output: any Sendable, within share: Int64) async -> StopReport {
    let began = now
    var outcome = TaskOutcome.skipped(.noTimeLeft)
    if share > 0, let stop = task.stop {
      tell(.stopStarted(task.name))
      let result: TaskOutcome? = await result(within: share) {
        do {
          try await stop.run(output)
          return .succeeded
        } catch { return .failed(error) }
      }
      outcome = result ?? .timedOut
    }
    tell(.stopEnded(task.name, outcome.description))
    return StopReport(
      name: task.name, location: task.location, outcome: outcome, duration: .nanoseconds(now - began),
      share: .nanoseconds(share))
  }

  /// What a body comes to, if it does within a time. Otherwise it is cancelled, and left to itself: it may ignore that.
  func result<Value: Sendable>(within time: Int64, of body: @escaping @Sendable () async -> Value) async -> Value? {
    let first = FirstResult<Value?>()
    let due = now.later(by: time)
    let wait = lifetime.withLock { $0.beginWait(until: due) }
    // Ended by the body, which is cancelled below if it is late.
    let work = _Concurrency.Task { first.resolve(await body()) }
    // Ended by the time, or by the cancellation below.
    let alarm = _Concurrency.Task {
      do { try await self.time.continuous.sleep(due) } catch { return }
      first.resolve(nil)
    }
    let result = await first.value
    alarm.cancel()
    if result == nil { work.cancel() }
    lifetime.withLock { $0.endWait(wait) }
    return result
  }
}
