public import TaskKit

@EventTask(name: "open", event: .didFinishLaunching)  // note: 'open' is first declared here
public enum OpenDatabase {
  public static func run() {}
}

@EventTask(event: .willTerminate)  // note: 'Core.CloseDatabase' is declared here
public enum CloseDatabase {
  public static func run() {}
}
