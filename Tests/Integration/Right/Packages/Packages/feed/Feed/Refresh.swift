import Storage
public import TaskKit

@EventTask(event: .didFinishLaunching, dependencies: [OpenStorage.self])
public enum Refresh {
  public static func run(_ context: TaskContext<LaunchOptions>) throws -> Int {
    print("refresh")
    return try context.output(of: OpenStorage.self) + 1
  }
}
