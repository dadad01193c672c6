public import TaskKit

@EventTask(event: .didFinishLaunching)
public enum OpenStorage {
  public static func run() -> String {
    print("storage")
    return "rows"
  }
}

@EventTask(event: .didFinishLaunching)
enum Internal {
  static func run() { print("internal") }
}

@EventTask(event: .didFinishLaunching)
package enum Packaged {
  package static func run() { print("packaged") }
}
