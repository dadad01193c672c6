public import TaskKit

// note: 'open' is first declared here
// note: 'open' is declared here
@EventTask(name: "open", event: .didFinishLaunching)
public enum OpenDatabase {
  public static func run() {}
}

@EventTask(event: .didBecomeActive)  // note: 'Storage.Refresh' is declared here
public enum Refresh {
  public static func run() {}
}
