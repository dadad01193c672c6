public import TaskKit

// The module has the name of a type in it.
public enum News {
  @EventTask(event: .didBecomeActive)
  public enum Refresh {
    public static func run() { print("News.Refresh of News") }
  }
}

@EventTask(event: .didBecomeActive, dependencies: [News.Refresh.self])
public enum Refresh {
  public static func run() { print("Refresh of News") }
}
