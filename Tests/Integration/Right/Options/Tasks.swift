import Synchronization
import TaskKit

// Every option at once, on every kind of type, wherever it runs.

extension LifecycleEvent<Int, Void> {
  nonisolated static var opened: Self { .init("opened") }
  nonisolated static var reopened: Self { .init("reopened") }
}

extension Lane {
  nonisolated static let display = Lane("display")
}

@globalActor
actor Storage {
  static let shared = Storage()
}

/// Whether the tasks are switched on.
let isOn = Mutex(false)

struct FirstAttempt: Error {}

/// Says that a body runs, and fails the first time.
func begin(_ context: TaskContext<Int>) throws {
  print("\(context.name) in \(context.payload), attempt \(context.attempt)")
  if !context.isFinalAttempt { throw FirstAttempt() }
}

@EventTask(priority: .critical, events: .opened, .reopened)
enum Prepare {
  static func run() -> Int { 7 }
}

@EventTask(priority: .high, events: .opened, .reopened)
enum Sketch {
  static func run() {}
}

@EventTask(
  name: "on a struct", priority: 90, events: .opened, .reopened, dependencies: [Prepare.self],
  after: ["Sketch", .optional("Nobody")], timeout: .seconds(60), retry: .attempts(2, backoff: .fixed(.zero)),
  onFailure: .ignore, runs: .once, lane: .display)
struct OnStruct {
  static var isEnabled: Bool { isOn.withLock { $0 } }
  var needed: Int?

  mutating func run(_ context: TaskContext<Int>) async throws -> Int {
    precondition(needed == nil)
    needed = try context.output(of: Prepare.self)
    try begin(context)
    return context.payload
  }
}

@EventTask(
  name: "on an enum", priority: 80, events: .opened, .reopened, dependencies: [Prepare.self],
  after: ["Sketch", .optional("Nobody")], timeout: .seconds(60), retry: .attempts(2, backoff: .fixed(.zero)),
  onFailure: .ignore, runs: .once, lane: .display)
enum OnEnum {
  static var isEnabled: Bool { isOn.withLock { $0 } }
  static func run(_ context: TaskContext<Int>) throws { try begin(context) }
}

@EventTask(
  name: "on a class", priority: 70, events: .opened, .reopened, dependencies: [Prepare.self],
  after: ["Sketch", .optional("Nobody")], timeout: .seconds(60), retry: .attempts(2, backoff: .fixed(.zero)),
  onFailure: .ignore, runs: .once, lane: .display)
public final class OnClass {
  static var isEnabled: Bool { isOn.withLock { $0 } }
  private var isFresh = true

  init() {}

  func run(_ context: TaskContext<Int>) throws {
    precondition(isFresh)
    isFresh = false
    try begin(context)
  }
}

extension OnStruct {
  @EventTask(
    name: "on an actor", priority: 60, events: .opened, .reopened, dependencies: [Prepare.self],
    after: ["Sketch", .optional("Nobody")], timeout: .seconds(60), retry: .attempts(2, backoff: .fixed(.zero)),
    onFailure: .ignore, runs: .once, lane: .display)
  actor OnActor {
    static var isEnabled: Bool { isOn.withLock { $0 } }
    var needed: Int?

    func run(_ context: TaskContext<Int>) async throws {
      precondition(needed == nil)
      needed = try context.output(of: Prepare.self)
      try begin(context)
    }
  }
}

#if os(Linux) || canImport(Darwin)
@EventTask(
  name: "on a struct of the main actor", priority: 50, events: .opened, .reopened, dependencies: [Prepare.self],
  after: ["Sketch", .optional("Nobody")], timeout: .seconds(60), retry: .attempts(2, backoff: .fixed(.zero)),
  onFailure: .ignore, runs: .once, lane: .display)
@MainActor
struct OnMainActorStruct {
  static var isEnabled: Bool { isOn.withLock { $0 } }

  func run(_ context: TaskContext<Int>) throws {
    MainActor.preconditionIsolated()
    try begin(context)
  }
}
#endif

@EventTask(
  name: "on an enum of the main actor", priority: 40, events: .opened, .reopened, dependencies: [Prepare.self],
  after: ["Sketch", .optional("Nobody")], timeout: .seconds(60), retry: .attempts(2, backoff: .fixed(.zero)),
  onFailure: .ignore, runs: .once, lane: .display)
@MainActor
enum OnMainActorEnum {
  static var isEnabled: Bool { isOn.withLock { $0 } }

  static func run(_ context: TaskContext<Int>) async throws {
    MainActor.preconditionIsolated()
    try begin(context)
  }
}

@EventTask(
  name: "on a class of the main actor", priority: 30, events: .opened, .reopened, dependencies: [Prepare.self],
  after: ["Sketch", .optional("Nobody")], timeout: .seconds(60), retry: .attempts(2, backoff: .fixed(.zero)),
  onFailure: .ignore, runs: .once, lane: .display)
@MainActor
final class OnMainActorClass {
  static var isEnabled: Bool { isOn.withLock { $0 } }

  func run(_ context: TaskContext<Int>) throws {
    MainActor.preconditionIsolated()
    try begin(context)
  }
}

@EventTask(
  name: "on a class of another actor", priority: 20, events: .opened, .reopened, dependencies: [Prepare.self],
  after: ["Sketch", .optional("Nobody")], timeout: .seconds(60), retry: .attempts(2, backoff: .fixed(.zero)),
  onFailure: .ignore, runs: .once, lane: .display)
@Storage
final class OnStorageClass {
  static var isEnabled: Bool { isOn.withLock { $0 } }

  func run(_ context: TaskContext<Int>) async throws {
    Storage.preconditionIsolated()
    try begin(context)
  }
}

@EventTask(priority: .low, events: .opened, .reopened, dependencies: [OnStruct.self])
enum Show {
  static func run(_ context: TaskContext<Int>) throws {
    print("shows what the struct returned: \(try context.output(of: OnStruct.self))")
  }
}
