public import TaskKit

@EventTask(event: .didBecomeActive)  // note: 'News.Refresh' is declared here
public enum Refresh {
  static func run() {}
}
