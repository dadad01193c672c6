public import Core
public import TaskKit

@EventTask(event: .didBecomeActive, dependencies: [OpenDatabase.self])  // note: 'News.Refresh' is declared here
public enum Refresh {
  public static func run() {}
}
