import Storage
public import TaskKit

public enum Mail {
  @EventTask(event: .didFinishLaunching, dependencies: [OpenStorage.self])
  public enum Fetch {
    public static func run() { print("fetch") }
  }
}
