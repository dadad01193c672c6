public import TaskKit

@EventTask(name: "open", event: .didFinishLaunching)  // note: 'open' is first declared here
public enum OpenDatabase {
  public static func run() {}
}

@EventTask(event: .didBecomeActive)  // note: 'Storage.Refresh' is declared here
public enum Refresh {
  public static func run() {}
}
