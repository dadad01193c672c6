public import TaskKit

@EventTask(event: .didBecomeActive)
public struct Mail {
  public init() {}
  public func run() { print("Mail of Mail") }
}

@EventTask(event: .didBecomeActive)
public enum Refresh {
  public static func run() { print("Refresh of Mail") }
}
