/// Where a job is in its life.
///
/// ```text
/// waiting ─┐                     ┌─ finished
/// delayed ─┼─▶ ready ─▶ running ─┼─ dead
/// held    ─┘     ▲         │     └─ cancelled
///                └─────────┘
/// ```
public enum JobState: String, Hashable, Sendable, Codable, CaseIterable {
  /// It runs as soon as a worker is free, its kind is registered and its constraints hold.
  case ready
  /// It becomes ready at a date: it was enqueued with a delay, waits between two attempts, or was snoozed.
  case delayed
  /// It waits for its parents.
  case waiting
  /// An attempt of it is going.
  case running
  /// It is parked until somebody, or a condition, releases it; the reason says why.
  case held
  /// It succeeded.
  case finished
  /// It has given up, and can be retried.
  case dead
  /// It was cancelled.
  case cancelled

  /// Whether nothing follows of itself.
  public var isFinal: Bool { self == .finished || self == .dead || self == .cancelled }
}

/// Why a job is held (Z25, Zw12).
public enum HoldReason: Hashable, Sendable, Codable, CustomStringConvertible {
  /// Its attempts are used up, and its kind asks to hold it then (Z24).
  case gaveUp
  /// The process died while it ran, that many times one after the other.
  case crashed(times: Int)
  /// This build cannot read it: its payload is of an unknown version or has other fields than the type, or what the store
  /// holds of it is damaged. Another build that reads payloads of its version releases it when it runs.
  case unreadable(String)
  /// Its parent died or was cancelled.
  case parentFailed(JobID)
  /// Its attempt, or somebody, asked to hold it until these constraints hold; the text is theirs.
  case until([String], String)
  /// Somebody asked for it; the text is theirs.
  case asked(String)

  /// What somebody asked for.
  package init(asked text: String, until constraints: [String]) {
    self = constraints.isEmpty ? .asked(text) : .until(constraints, text)
  }

  /// The names of those until which it is held.
  var constraints: [String] { if case .until(let names, _) = self { names } else { [] } }

  /// For people.
  public var description: String {
    switch self {
    case .gaveUp: "its attempts are used up"
    case .crashed(let times): "the process died in it \(times) times, one after the other"
    case .unreadable(let text): "this build cannot read it: \(text)"
    case .parentFailed(let parent): "job \(parent), which it waited for, did not succeed"
    case .until(let constraints, let text):
      "until \(constraints.map { "'\($0)'" }.joined(separator: " and ")) holds: \(text)"
    case .asked(let text): text
    }
  }

  /// Whether a job that is released has no more attempts for it: it was held for who had it, and not for what it has come to. The next
  /// one who has it may do so by itself, as often as it meets one of another build.
  package var keepsAttempts: Bool { cause == .unreadable }

  /// Whether somebody has asked for it, so that a parent which has failed since was not yet a reason of its own.
  var isAsked: Bool { cause == .asked || cause == .until }

  /// The same without what is said with it.
  public var cause: HoldCause {
    switch self {
    case .gaveUp: .gaveUp
    case .crashed: .crashed
    case .unreadable: .unreadable
    case .parentFailed: .parentFailed
    case .until: .until
    case .asked: .asked
    }
  }
}

/// A ``HoldReason`` without what is said with it. The words are what stores hold.
public enum HoldCause: String, Hashable, Sendable, Codable, CaseIterable {
  /// Its attempts are used up.
  case gaveUp
  /// The process died while it ran, too often.
  case crashed
  /// This build cannot read it.
  case unreadable
  /// Its parent died or was cancelled.
  case parentFailed
  /// It waits for constraints.
  case until
  /// Somebody asked for it.
  case asked
}
