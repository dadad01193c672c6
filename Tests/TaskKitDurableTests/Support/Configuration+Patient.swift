#if Durable && !os(Windows)
import GRDB

extension Configuration {
  /// For a file beside its stores. They take its lock unasked, too: to see what others have done, when they have opened it and
  /// when they have heard something, and in the moment in which they die. By default GRDB waits for nobody.
  static var patient: Configuration {
    var configuration = Configuration()
    configuration.busyMode = .timeout(30)
    return configuration
  }
}
#endif
