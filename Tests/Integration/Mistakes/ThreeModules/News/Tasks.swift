public import Core
public import TaskKit

@EventTask(event: .didBecomeActive, dependencies: [OpenDatabase.self])
public enum Refresh {
  public static func run() {}
}
