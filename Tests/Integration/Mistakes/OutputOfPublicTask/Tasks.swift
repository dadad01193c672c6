public import TaskKit

struct Configuration: Sendable {}

// The compiler's own words.
// error: type alias cannot be declared public because its underlying type uses an internal type
@EventTask(event: .didFinishLaunching)
public enum LoadConfiguration {
  static func run() -> Configuration { Configuration() }
}
