/// A mention of another task in `dependencies:` or `after:`.
public struct Reference: Sendable, Hashable {
  /// How the other task is named.
  public enum Target: Sendable, Hashable {
    /// A task by its number, where whoever asks has already found it.
    case task(Int)
    /// A task by its full name, or by the part behind the module.
    case name(String)
  }

  /// The task that is meant.
  public var target: Target
  /// Where the mention stands; where unknown, messages point to the task that refers.
  public var place: SourcePlace?
  /// As it stands in the source, for messages about a task that is not found.
  public var text: String
  /// True if it is no mistake that the task is not there.
  public var mayBeAbsent: Bool

  /// `text` is, unless given, the name.
  public init(_ target: Target, text: String? = nil, place: SourcePlace? = nil, mayBeAbsent: Bool = false) {
    self.target = target
    self.place = place
    self.mayBeAbsent = mayBeAbsent
    switch target {
    case .name(let name): self.text = text ?? name
    case .task(let number): self.text = text ?? "#\(number)"
    }
  }
}
