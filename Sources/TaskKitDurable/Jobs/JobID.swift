/// Which job it is, among those of one store: what ``TaskKit/TaskCenter`` returns when a job is enqueued.
///
/// Numbers rise in the order in which jobs were written down and are never used again, but for those that a power cut has taken
/// from an SQLite file or a server: of jobs that had not run, and, where a file was shared and is opened next by a store that does
/// not share it, of jobs that had. Where a replica of a server takes over that lacks the last moments, it knows none of their
/// numbers. They stay what they are when a store's jobs are moved into another kind of store.
public struct JobID: RawRepresentable, Hashable, Comparable, Sendable, Codable, CustomStringConvertible {
  public let rawValue: Int64

  public init(rawValue: Int64) { self.rawValue = rawValue }

  public static func < (left: JobID, right: JobID) -> Bool { left.rawValue < right.rawValue }

  public var description: String { "\(rawValue)" }
}

/// What proves that an attempt is still the one that holds its job: a number that no attempt of the store had before.
///
/// Everything that an attempt writes carries it, and is refused when another attempt has begun meanwhile. It rises with
/// time, so other systems may use it for fencing: refuse what comes with a lower number than they have seen. Numbers that a
/// power cut has taken from an SQLite file that was shared are given out again where it is opened next by a store that does not
/// share it, and those of a server's last moments where a replica takes over that lacks them.
public struct AttemptToken: RawRepresentable, Hashable, Comparable, Sendable, Codable, CustomStringConvertible {
  public let rawValue: Int64

  public init(rawValue: Int64) { self.rawValue = rawValue }

  public static func < (left: AttemptToken, right: AttemptToken) -> Bool { left.rawValue < right.rawValue }

  public var description: String { "\(rawValue)" }
}
