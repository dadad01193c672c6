public import Foundation

/// What may be paused.
public enum PauseSubject: Hashable, Sendable, Codable {
  /// A queue, whatever kinds are in it.
  case queue(String)
  /// A kind, whatever queue its jobs are in.
  case kind(String)
}

/// Who stopped what, and when.
public struct JobPause: Hashable, Sendable, Codable {
  /// What is paused.
  public var subject: PauseSubject
  /// Who asked for it, as ``JobConfiguration/owner`` calls the process.
  public var by: String
  /// When, by the clock of the store.
  public var since: Date

  public init(subject: PauseSubject, by: String, since: Date) {
    self.subject = subject
    self.by = by
    self.since = since
  }
}
