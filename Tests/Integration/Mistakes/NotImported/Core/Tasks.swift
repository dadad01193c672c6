public import TaskKit

@EventTask(event: .didFinishLaunching)  // note: 'Core.OpenDatabase' is declared here
public enum OpenDatabase {
  public static func run() {}
}
