import TaskKit

/// The four event tasks of RWTaskKit's demo, as annotations. Declared in an order that is not the one they run in.
enum Demo {
  enum Notes: SharedKey {
    typealias Value = Recorder
  }

  @EventTask(
    priority: .high, event: .willFinishLaunching, after: [.optional("NotDeclared"), .optional("NeitherDeclared")])
  enum Task2 {
    static func run(_ context: TaskContext<LaunchOptions>) { context[Notes.self]?.note("2") }
  }

  @EventTask(priority: .critical, event: .willFinishLaunching)
  enum Task1 {
    static func run(_ context: TaskContext<LaunchOptions>) { context[Notes.self]?.note("1") }
  }

  @EventTask(event: .didFinishLaunching, dependencies: [Task4.self])
  enum Task3 {
    static func run(_ context: TaskContext<LaunchOptions>) { context[Notes.self]?.note("3") }
  }

  @EventTask(event: .didFinishLaunching)
  enum Task4 {
    static func run(_ context: TaskContext<LaunchOptions>) async { context[Notes.self]?.note("4") }
  }
}
