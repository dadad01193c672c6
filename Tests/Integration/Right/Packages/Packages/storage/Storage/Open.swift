public import TaskKit

@EventTask(event: .didFinishLaunching)
public enum OpenStorage {
  public static func run() -> Int {
    print("open")
    return 1
  }
}
