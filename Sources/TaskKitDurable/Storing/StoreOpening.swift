public import Foundation

/// What a store is told about its surroundings.
public struct StoreEnvironment: Sendable {
  /// The calendar's time; a store on a server uses the server's.
  public var now: @Sendable () -> Date
  /// A name for people: host, process.
  public var owner: String

  public init(now: @escaping @Sendable () -> Date = { Date() }, owner: String) {
    self.now = now
    self.owner = owner
  }
}

/// What was found when a store was opened.
public struct StoreOpening: Sendable {
  /// What is the same for the store's whole life, also when it is moved: the first part of idempotency keys.
  public var identity: UUID
  /// Jobs that dead owners had held.
  public var rescued: [RescuedJob]
  /// Jobs of which nothing is left but that others waited for them: for those they have died.
  package var lostParents: [JobID] = []

  public init(identity: UUID, rescued: [RescuedJob]) {
    self.identity = identity
    self.rescued = rescued
  }
}

/// A job whose process died in it.
public struct RescuedJob: Sendable, Hashable {
  /// What is needed to tell a job's kind that it has given up, whatever has become of the job.
  public struct GivenUp: Sendable, Hashable {
    /// How many attempts counted.
    public var attempts: Int
    /// The job's value, which the kind gets to see.
    public var payload: JobPayload

    public init(attempts: Int, payload: JobPayload) {
      self.attempts = attempts
      self.payload = payload
    }
  }

  /// The job's.
  public var id: JobID
  /// Its kind.
  public var kind: String
  /// What has become of it: ready, held or dead; nil where it was deleted.
  public var state: JobState?
  /// There where that was its last attempt, and ``NewJob/exhaustion`` has decided.
  public var gaveUp: GivenUp?

  public init(id: JobID, kind: String, state: JobState?, gaveUp: GivenUp? = nil) {
    self.id = id
    self.kind = kind
    self.state = state
    self.gaveUp = gaveUp
  }
}
