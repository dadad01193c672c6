public import TaskKit

@EventTask(event: .didFinishLaunching)
public enum Open {
  public static func run() { print("open") }
}
