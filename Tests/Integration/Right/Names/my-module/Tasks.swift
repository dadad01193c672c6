public import TaskKit

@EventTask(event: .didBecomeActive)
public enum Refresh {
  public static func run() { print("my-module") }
}
