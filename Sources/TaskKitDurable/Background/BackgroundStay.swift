/// Who lets an app go on for some seconds when it has left the foreground: `SystemBackgroundStay` on Apple's systems with UIKit,
/// or a test's own.
public protocol BackgroundStay: Sendable {
  /// Asks for the time, which is to be given back as soon as it is not needed.
  ///
  /// - Parameter name: what it is for, as the system's tools show it.
  /// - Returns: nil where the system gives none.
  func begin(_ name: String) -> (any BackgroundTime)?
}
