// plugin: none
public import TaskKit

@EventTask(event: .didFinishLaunching)  // warning: this task is not collected into a registry
public enum OpenDatabase {
  public static func run() {}
}
