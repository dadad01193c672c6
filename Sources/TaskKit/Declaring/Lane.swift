/// A line of tasks that run one at a time, wherever in the center they were declared.
///
/// Declared once, so that a misspelt lane does not compile:
///
/// ```swift
/// extension Lane { nonisolated static let popups = Lane("popups") }
///
/// @EventTask(event: .didBecomeActive, lane: .popups)
/// enum AskForReview { … }
/// ```
///
/// Lanes of the same name are the same lane.
public struct Lane: Sendable, Hashable, CustomStringConvertible {
  public let name: String

  public init(_ name: String) {
    self.name = name
  }

  public var description: String { name }
}
