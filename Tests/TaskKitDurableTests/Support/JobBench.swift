import TaskKit
import TaskKitDurable
import TaskKitTesting
import Testing

/// A center with a store in memory, on clocks that stand still.
struct JobBench {
  let time: VirtualTime
  let probe = Probe()
  let store: MemoryStore
  let center: TaskCenter

  init(
    _ kinds: (any DurableTask.Type)..., store: MemoryStore = MemoryStore(),
    wrapping: ((MemoryStore) -> any JobStore)? = nil,
    jobs: JobConfiguration = JobConfiguration(monitors: []), maximumConcurrency: Int = .max, chance: Double = 0,
    time: VirtualTime = VirtualTime()
  ) throws {
    try self.init(
      kinds, store: store, wrapping: wrapping, jobs: jobs,
      configuration: TaskCenter.Configuration(maximumConcurrency: maximumConcurrency, chance: { chance }), time: time)
  }

  private init(
    _ kinds: [any DurableTask.Type], store: MemoryStore, wrapping: ((MemoryStore) -> any JobStore)?,
    jobs: JobConfiguration, configuration: TaskCenter.Configuration, time: VirtualTime = VirtualTime()
  ) throws {
    self.time = time
    self.store = store
    let registry = kinds.reduce(TaskRegistry()) { $0.adding($1) }
    center = try TaskCenter(
      registry: registry, configuration: configuration, time: time.source,
      stores: [DurableStore("memory", wrapping?(store) ?? store)], jobs: jobs)
    center[Probe.Key.self] = probe
  }

  /// The same with a store that fails when it is told to.
  static func flaky(
    _ kinds: any DurableTask.Type..., jobs: JobConfiguration = JobConfiguration(monitors: []),
    configuration: TaskCenter.Configuration = TaskCenter.Configuration(chance: { 0 })
  ) throws -> (JobBench, FlakyStore) {
    let memory = MemoryStore()
    let flaky = FlakyStore(memory)
    let bench = try JobBench(
      kinds, store: memory, wrapping: { _ in flaky }, jobs: jobs, configuration: configuration)
    return (bench, flaky)
  }

  /// Lets the workers run, and returns when nothing is left that could run now.
  func run() async {
    center.start()
    await center.jobs.idle()
  }

  /// Enqueues a job, lets the workers run, and returns when a call of the store has failed.
  func runUntilStoreFails(_ job: Work, _ options: EnqueueOptions = EnqueueOptions()) async throws {
    try await center.enqueue(job, options)
    var events = center.jobs.events().makeAsyncIterator()
    center.start()
    while let event = await events.next() { if case .storeFailed = event.kind { break } }
  }

  /// Stops the workers for a second in which a body that is going, and is told to end, does not.
  func stopInVain() async {
    let notes = probe.notes.count
    async let unfinished = center.jobs.stop(deadline: .seconds(1))
    await time.continuous.waitForSleeper(until: .seconds(1))
    await probe.notes(notes + 1)
    time.advance(by: .seconds(1))
    #expect(await unfinished.count == 1)
  }

  /// Lets time pass, a tenth of a second after the other, until something is so that the store has to find out on a thread of
  /// its own, or the time of the test is over.
  func passTime(until isSo: () -> Bool) async throws {
    try await waitUntil {
      if isSo() { return true }
      time.advance(by: .milliseconds(100))
      return false
    }
  }

  /// Enqueues a job whose body waits at a gate, unless it is cancelled.
  func enqueueWaiting(_ name: String = "a") async throws -> Gate {
    let gate = Gate()
    probe.on(name) { _ in try await gate.passUnlessCancelled() }
    try await center.enqueue(Work(name))
    return gate
  }

  /// Enqueues a job whose body waits at a gate also when it is told to end, lets the workers run, and returns when it waits.
  func runStubborn(_ name: String) async throws -> Gate {
    let gate = Gate()
    probe.on(name, stubborn(gate))
    try await center.enqueue(Work(name))
    center.start()
    await gate.arrivals(1)
    return gate
  }

  /// Lets the workers run, and the process die as soon as bodies of these jobs are running.
  func die(in names: String...) async {
    let gate = Gate()
    for name in names { probe.on(name) { _ in await gate.pass() } }
    center.start()
    await gate.arrivals(names.count)
    store.die()
    gate.open()
  }

  /// A body that waits at a gate, notes that it was cancelled, and goes on waiting.
  func stubborn(_ gate: Gate) -> Probe.Body {
    { [probe] _ in
      await withTaskCancellationHandler {
        await gate.pass()
      } onCancel: {
        probe.note("cancelled")
      }
    }
  }

  func states() async throws -> [String] {
    try await center.jobs.all().map { "\($0.id) \($0.state.rawValue) \($0.attempts)" }
  }
}
