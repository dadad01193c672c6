public import Foundation

/// What may be paused.
public enum PauseSubject: Hashable, Sendable, Codable {
  /// A queue, whatever kinds are in it.
  case queue(String)
  /// A kind, whatever queue its jobs are in.
  case kind(String)
  /// The jobs whose ``KeyLimit`` has that key, whatever kinds and queues they are of.
  case key(String)
}

extension JobSnapshot {
  /// Whose pause keeps it from starting.
  var pauseSubjects: [PauseSubject] { [.queue(queue), .kind(kind)] + (limit.map { [.key($0.key)] } ?? []) }
}

extension PauseSubject {
  /// As stores write it: what sort of thing it is, and its name. Pauses are listed in that order.
  package var order: (sort: Int, name: String) {
    switch self {
    case .queue(let name): (0, name)
    case .kind(let name): (1, name)
    case .key(let name): (2, name)
    }
  }

  /// What a store has written as ``order``.
  package init(sort: Int, name: String) {
    switch sort {
    case 0: self = .queue(name)
    case 1: self = .kind(name)
    default: self = .key(name)
    }
  }
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
