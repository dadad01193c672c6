public import Foundation
import Synchronization
import TaskGraph

/// Runs the tasks of a registry at the events that are sent to it, and lets them be changed while it does.
///
/// ```swift
/// let center = TaskCenter(registry: .generated)
/// await center.send(.willFinishLaunching, options)
/// let report = await center.send(.didFinishLaunching, options)
/// print(report)
/// ```
///
/// A center is a value per use: make one for an app, one for each test. It may be used from any thread and from inside
/// its own tasks. It is not an actor, because `pause`, `inject` and the rest take effect before they return.
///
/// Order and parallelism follow the law of order: dependencies first, then effective priority, then the order of
/// declaration. No thread that runs tasks is blocked and nothing is polled; when no task runs, a center costs nothing. On
/// Linux all centers share a thread that sleeps until the next of them has something to do, from the first such time on.
public final class TaskCenter: Sendable {
  let machine: Mutex<CenterMachine>
  let alarm = Mutex(Alarm())
  /// The same for what sleeps with the machine.
  let suspendingAlarm = Mutex(Alarm())
  /// What it calls later that is no task.
  let calls: ScheduledCalls
  /// The same for what other libraries let live with it: no call of a user holds those up.
  let companionCalls: ScheduledCalls
  let values = Mutex<[ObjectIdentifier: any Sendable]>([:])
  let listeners = Mutex<[ListenerSource: Listener]>([:])
  /// What the gates of lanes wait for.
  let conditions = Mutex<[Lane: _Concurrency.Task<Void, Never>]>([:])
  let modules: Mutex<ModuleTable>
  let lifetime = Mutex(Lifetime())
  /// What other libraries let live with it.
  let companions = Mutex<[any CenterCompanion]>([])
  /// What the registry carries for them.
  let items: [any RegistryItem]
  /// Whether a timer was ever set, or may be, or somebody has ever observed: from then on every step reads the clock.
  let needsTime = Atomic(false)
  /// When the machine's zone was last looked at, on the continuous clock: not yet.
  let zoneLook = Atomic(Int64.min)
  /// How many threads do what is due.
  let rings = Atomic(0)
  let configuration: Configuration
  let time: TimeSource

  /// - Parameters:
  ///   - registry: what the build plugin collected.
  ///   - configuration: how many tasks at once, and what is recorded.
  ///   - time: the clocks; a test passes its own.
  public init(
    registry: TaskRegistry = TaskRegistry(), configuration: Configuration = Configuration(), time: TimeSource = .system
  ) {
    self.configuration = configuration
    self.time = time
    items = registry.items
    calls = ScheduledCalls(wallCheck: time.wallCheck?.nanoseconds)
    companionCalls = ScheduledCalls(wallCheck: time.wallCheck?.nanoseconds)
    var machine = CenterMachine(
      limit: configuration.maximumConcurrency, coreCount: configuration.workerCount,
      isTimed: configuration.reporting == .full,
      schedules: ScheduleTable(
        wallCheck: time.wallCheck?.nanoseconds, host: Dice.hash(configuration.hostName)))
    machine.startOrder = configuration.startOrder
    let demands = machine.load(registry)
    let hasQuietTimes = machine.events.contains { $0.description.burst.quietTime != nil }
    if hasQuietTimes || !demands.isDisjoint(with: [.timeout, .retry]) { needsTime.store(true, ordering: .relaxed) }
    var modules = ModuleTable()
    for module in registry.taskModules { _ = modules.add(module) }
    _ = modules.takeChanged()
    // A launch without modules reads no registration for this.
    if !modules.types.isEmpty { machine.noteMethods() }
    machine.useBodies(of: modules.types, in: modules)
    self.modules = Mutex(modules)
    self.machine = Mutex(machine)
  }

  deinit {
    endAlarms()
    closeCalls()
    for listener in listeners.withLock({ $0.values.map { $0 } }) { end(listener) }
    endReportWaits()
    for condition in conditions.withLock({ $0.values.map { $0 } }) { condition.cancel() }
    for companion in companions.withLock({ $0 }) { companion.centerEnded() }
  }

  /// What can be chosen about a center.
  public struct Configuration: Sendable {
    /// What reports contain.
    public enum Reporting: Sendable, Hashable {
      /// Every task with its times. Costs a reading of the clock per task.
      case full
      /// Only tasks that did not succeed, without times; no statistics.
      case problems
    }

    /// How many bodies may have started and not ended at the same time, suspended ones included.
    ///
    /// With 1 the order of starts is exactly the law's. Unlimited by default: then synchronous bodies run on as many
    /// threads as there are cores, and any number of others may be suspended. An event whose tasks were too short the
    /// last time for a second thread to pay (1.5 µs each on average, or 40 µs together) is begun on one thread; what
    /// suspends leaves it to the others.
    ///
    /// - Precondition: it is at least 1.
    public var maximumConcurrency: Int { didSet { Self.check(maximumConcurrency) } }
    /// What reports contain: every task with its times, unless said otherwise.
    public var reporting: Reporting

    /// The chance that jitter is drawn from: a number from 0 to 1 each time.
    public var chance: @Sendable () -> Double

    /// What tells this machine from others, for a ``Jitter/spread(upTo:)``.
    public var hostName: String

    /// Where notification tasks hear of notifications.
    public var notificationCenter = NotificationCenter.default

    /// Gets a sentence about what somebody has to repair, even where nobody looks at events: a schedule that can never fire, a
    /// sequence that has failed, a store that cannot be opened, a ``Completion`` in a lane that is answered again or never.
    /// Once for each; what tasks come to is told by ``TaskCenter/events`` alone. A line on standard error, unless said
    /// otherwise.
    ///
    /// It is called on any thread, while the center goes on.
    public var report: @Sendable (String) -> Void = Configuration.writeToStandardError

    /// How many threads work on synchronous bodies when there is no limit.
    var workerCount: Int

    /// Another order than the law's among those that could start, for tests.
    package var startOrder: StartOrder?

    /// - Precondition: `maximumConcurrency` is at least 1.
    public init(
      maximumConcurrency: Int = .max, reporting: Reporting = .full,
      chance: @escaping @Sendable () -> Double = { Double.random(in: 0...1) }
    ) {
      Self.check(maximumConcurrency)
      self.maximumConcurrency = maximumConcurrency
      self.reporting = reporting
      self.chance = chance
      hostName = HostName.current
      workerCount = ProcessInfo.processInfo.activeProcessorCount
    }

    /// Writes a line on standard error, with the name of TaskKit before it. Where that takes no line, because it is closed or
    /// the disk behind it is full, the line is lost.
    @Sendable public static func writeToStandardError(_ sentence: String) {
      // The form that throws nothing ends the process: of all that may be told here, none is worth that.
      try? FileHandle.standardError.write(contentsOf: Data("TaskKit: \(sentence)\n".utf8))
    }

    private static func check(_ limit: Int) {
      precondition(limit >= 1, "a center runs at least one task at a time, not \(limit)")
    }
  }

  // MARK: - Shared values

  /// A value that tasks and everyone else share (R33). It lives as long as the center; `nil` removes it.
  ///
  /// Each access is atomic, a read followed by a write is not: for that, share an actor or a lock.
  public subscript<Key: SharedKey>(_ key: Key.Type) -> Key.Value? {
    get {
      // A cast of what is not there to a type that may be nil would find nil.
      values.withLock { $0[ObjectIdentifier(key)] }.flatMap { $0 as? Key.Value }
    }
    set {
      // The old one is let go of after the lock has been released.
      _ = values.withLock { values -> (any Sendable)? in
        let old = values[ObjectIdentifier(key)]
        values[ObjectIdentifier(key)] = newValue
        return old
      }
    }
  }
}

extension TaskRegistration {
  /// Also where somebody sends an event of it whose constant says nothing of a quiet time.
  var usesTimers: Bool {
    !demands.isDisjoint(with: [.timeout, .retry]) || occasions.contains { $0.event.burst.quietTime != nil }
  }
}

extension CenterMachine {
  /// Takes over the tasks of a registry into an empty center.
  ///
  /// - Returns: what they ask for, all together.
  mutating func load(_ registry: TaskRegistry) -> TaskDemands {
    let table = RegistryTable(registry.modules)
    self.registry = table
    let count = table.count
    tasks = ContiguousArray(unsafeUninitializedCapacity: count) { memory, initialized in
      for number in 0..<count {
        (memory.baseAddress! + number).initialize(
          to: TaskRecord(row: Int32(number), of: table, sequence: Int64(number)))
      }
      initialized = count
    }
    for (task, references) in table.unresolvedAfter { tasks[Int(task)].unresolvedAfter = references }
    marks = ContiguousArray(repeating: [], count: count)
    // One that was left out as a whole may join later.
    modules = Set(registry.modules.filter { !$0.isEmpty }.map(\.module))
    numbers = TaskNumbers(sequence: Int64(count))
    var demands: TaskDemands = []
    // By place in the table's list.
    var eventNumbers = ContiguousArray(repeating: -1, count: table.events.count)
    for number in 0..<count {
      let row = table.rows[number]
      demands.formUnion(row.facts.demands)
      guard row.event >= 0 else {
        enter(Int32(number))
        continue
      }
      let place = Int(row.event)
      if eventNumbers[place] < 0 {
        let event = self.number(of: table.events[place])
        guard events[event].description.agrees(with: table.events[place]) else {
          enter(Int32(number))
          continue
        }
        eventNumbers[place] = event
      }
      let event = eventNumbers[place]
      if events[event].members.isEmpty { events[event].members.reserveCapacity(min(count, 4096)) }
      events[event].members.append(Int32(number), sequence: Int64(number))
    }
    meetGates()
    return demands
  }

  /// Enters a task under each of its events.
  mutating func enter(_ task: Int32) {
    tasks[Int(task)].registration = meetEvents(of: tasks[Int(task)].registration)
    if tasks[Int(task)].registration.lane != nil {
      tasks[Int(task)].registration = meetLane(of: tasks[Int(task)].registration)
    }
    let occasions = tasks[Int(task)].registration.occasions
    for occasion in occasions.indices {
      let event = join(occasions[occasion].event)
      events[event].members.append(task, occasion: occasion, in: tasks)
      forgetPlan(ofEvent: event)
      if let schedule = occasions[occasion].event.schedule { enter(schedule, of: task) }
      if occasions[occasion].event.isListenedTo { enterListener(task, occasion: occasion) }
    }
  }
}
