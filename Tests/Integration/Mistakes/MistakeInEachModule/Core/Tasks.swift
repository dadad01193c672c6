public import TaskKit

@EventTask(event: .didFinishLaunching, dependencies: [Nothing.self])  // error: needs 'Nothing'
public enum OpenDatabase {
  public static func run() {}
}
