// settings: .swiftLanguageMode(.v5)
import TaskKit

@EventTask(event: .didFinishLaunching)
public final class OpenDatabase {
  public init() {}
  public func run() -> Int { 1 }
}
