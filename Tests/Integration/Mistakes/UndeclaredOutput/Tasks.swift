import TaskKit

@EventTask(event: .didFinishLaunching)
enum LoadSettings {
  static func run() -> Int { 1 }
}

@EventTask(event: .didFinishLaunching)  // note: 'App.OpenJournal' is declared here
enum OpenJournal {
  static func run() -> Int { 1 }
}

@EventTask(event: .didFinishLaunching, dependencies: [LoadSettings.self], after: ["OpenJournal"])
enum Greet {
  static func run(_ context: TaskContext<LaunchOptions>) throws {
    print(try context.output(of: LoadSettings.self))
    print(try context.output(of: OpenJournal.self))  // warning: 'App.Greet' reads the output of 'App.OpenJournal' without depending on it, which throws; add 'OpenJournal.self' to its 'dependencies:'
  }
}
