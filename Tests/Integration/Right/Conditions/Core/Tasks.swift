public import TaskKit

#if DEBUG
@EventTask(event: .didFinishLaunching)
public enum Trace {
  public static func run() { print("trace") }
}
#elseif canImport(Nothing)
@EventTask(event: .didFinishLaunching)
public enum Impossible {
  public static func run() { print("impossible") }
}
#else
@EventTask(event: .didFinishLaunching)
public enum Measure {
  public static func run() { print("measure") }
}
#endif

// One name in branches that exclude each other.
#if os(Linux)
@EventTask(event: .didFinishLaunching)
public enum OpenWindow {
  public static func run() { print("window") }
}
#else
@EventTask(event: .didFinishLaunching)
public struct OpenWindow {
  public init() {}
  public func run() { print("window") }
}
#endif

@EventTask(event: .didFinishLaunching, dependencies: [OpenWindow.self])
public enum Show {
  public static func run() { print("show") }
}
