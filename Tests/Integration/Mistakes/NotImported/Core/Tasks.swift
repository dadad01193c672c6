public import TaskKit

@EventTask(event: .didFinishLaunching)
public enum OpenDatabase {
  public static func run() {}
}
