import Core
public import TaskKit

public enum Left {
  @EventTask(event: .didFinishLaunching, dependencies: [OpenStorage.self])
  public struct Load {
    public init() {}

    public func run(_ context: TaskContext<LaunchOptions>) throws -> Int {
      print("left")
      return try context.output(of: OpenStorage.self).count
    }
  }
}
