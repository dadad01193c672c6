import Core
import TaskKit

@EventTask(event: .didFinishLaunching, dependencies: [Open.self])
public enum ShowPlain {
  public static func run() { print("plain") }
}
