import TaskKit

extension LifecycleEvent<Int, Void> {
  nonisolated static var rareShapes: Self { .init("rareShapes") }
}

private let limit = Duration.seconds(60)
private let `default` = 2

/// Tasks as few write them, each of which has to expand to what compiles without a warning.
enum RareShapes {
  // MARK: - Names that mean something else inside

  @EventTask(event: .rareShapes)
  struct Twin {
    struct Twin {}
    func run() -> Int { 1 }
  }

  @EventTask(event: .rareShapes)
  final class ClassTwin {
    struct ClassTwin {}
    func run() -> Int { 2 }
  }

  @EventTask(event: .rareShapes)
  actor ActorTwin {
    struct ActorTwin {}
    func run() -> Int { 3 }
  }

  @EventTask(
    priority: .high, event: .rareShapes, dependencies: [Twin.self], after: [.optional("Nobody")], timeout: .seconds(60),
    retry: .attempts(2))
  struct Hiding {
    enum TaskKit {}
    enum Swift {}
    enum Task {}
    enum String {}
    enum Event {}
    enum Lane {}
    enum Priority {}
    enum Duration {}
    enum LifecycleEvent {}
    enum LifecycleTask {}
    enum TaskContext {}
    enum TaskDependency {}
    enum TaskDisabled {}
    enum TaskLocation {}
    enum TaskName {}
    enum TaskOccasion {}
    enum TaskRegistration {}
    enum TaskStop {}
    static let isEnabled = true
    func run() -> Int { 4 }
    static func stop() {}
  }

  @EventTask(event: .rareShapes)
  enum `two words` {
    static func `run`() -> Int { 5 }
  }

  // MARK: - Effects and modifiers

  @EventTask(event: .rareShapes)
  struct NeverThrowing {
    init() throws(Never) {}
    func run() throws(Never) -> Int { 6 }
  }

  @EventTask(event: .rareShapes)
  struct Throwing {
    struct Failure: Error {}
    init() throws(Failure) {}
    consuming func run() async throws(Failure) -> Int { 7 }
  }

  @EventTask(event: .rareShapes)
  struct Concurrent {
    @concurrent private func run(_ context: TaskContext<Int>) async -> Int { context.payload }
  }

  @EventTask(event: .rareShapes)
  struct Nonsending {
    private static var isEnabled: Bool { true }
    nonisolated(nonsending) func run(_ number: Int) async -> Int { number }
  }

  // MARK: - Names of values

  @EventTask(event: .rareShapes, timeout: limit * 2, retry: .attempts(`default`))
  enum Naming {
    static func run() -> Int { 12 }
  }

  // MARK: - What is returned

  @EventTask(event: .rareShapes)
  struct Itself {
    func run() -> Self { self }
  }

  @EventTask(event: .rareShapes)
  final class ClassItself: Sendable {
    static func run() -> Self { Self() }
    static func stop(_ made: ClassItself) {}
  }

  @EventTask(event: .rareShapes)
  actor ActorItself {
    func run() -> Self? { self }
  }

  final class Box: Sendable {}

  @EventTask(event: .rareShapes)
  enum Sending {
    static func run() -> sending Box { Box() }
    static func stop(_ box: Box) {}
  }

  @EventTask(event: .rareShapes)
  enum Unwrapped {
    static func run() -> Int! { 10 }
  }

  @EventTask(event: .rareShapes)
  struct Nothing {
    var first, second: Int?
    func run() -> (Void) {}
  }
}
