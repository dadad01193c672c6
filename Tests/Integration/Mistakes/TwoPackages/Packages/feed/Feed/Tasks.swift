import Storage
public import TaskKit

@EventTask(event: .didBecomeActive)  // note: 'Feed.Refresh' is declared here
public enum Refresh {
  public static func run() {}
}
