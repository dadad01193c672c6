/// How to write to whoever reads.
public struct Style: Sendable, Hashable {
  public let isColored: Bool

  public init(isColored: Bool) {
    self.isColored = isColored
  }

  /// No escape sequences: for files, pipes and tests.
  public static let plain = Style(isColored: false)

  public func bold(_ text: String) -> String { isColored ? "\u{1B}[1m\(text)\u{1B}[0m" : text }
  public func dim(_ text: String) -> String { isColored ? "\u{1B}[2m\(text)\u{1B}[0m" : text }
  public func error(_ text: String) -> String { isColored ? "\u{1B}[31m\(text)\u{1B}[0m" : text }
}
