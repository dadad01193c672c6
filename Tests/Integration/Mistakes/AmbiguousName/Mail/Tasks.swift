public import TaskKit

@EventTask(event: .didBecomeActive)  // note: 'Mail.Refresh' is declared here
public enum Refresh {
  static func run() {}
}
