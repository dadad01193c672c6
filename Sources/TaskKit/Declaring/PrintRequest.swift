public import Foundation

/// Files that are to be printed: the payload of ``LifecycleEvent/printFiles``.
public struct PrintRequest: Sendable, Hashable {
  /// What is to be printed, in the order in which it was given.
  public var files: [URL]

  /// How, under the platform's names.
  public var settings: [String: PropertyValue]

  /// Whether the person is to be asked how. Without that the settings decide.
  public var showsPanels: Bool

  public init(_ files: [URL], settings: [String: PropertyValue] = [:], showsPanels: Bool = false) {
    self.files = files
    self.settings = settings
    self.showsPanels = showsPanels
  }
}
