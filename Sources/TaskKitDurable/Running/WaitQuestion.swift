import TaskKit

/// What is asked of the center where attempts are all that somebody waits for: these may wait for him.
struct WaitQuestion: Sendable {
  /// Which attempts were going, and that nothing else was; where that has changed since, the answer comes too late.
  struct Standing: Sendable, Equatable {
    let begun: Int
    let running: Int
    let exchanges: Int
  }

  /// The tasks of the center that wait, by the numbers of their waits.
  let bodies: [(number: UInt64, body: CallingBody)]
  /// The attempts that were in the way when it was looked last, and wait for something themselves: as long as none of them
  /// waits for one of the bodies, nobody can go on. Nil where it is not known what is in the way.
  let suspects: Set<ObjectIdentifier>?
  /// So many attempts have to wait for something at the least that anybody can go on.
  let least: Int
  let standing: Standing
  /// How many had begun to wait.
  let waits: UInt64
}

/// What the center knows of that.
struct WaitAnswer: Sendable {
  /// The attempts that wait for one of the bodies.
  var waiting: Set<AttemptToken> = []
  /// The numbers of those waits for which an attempt waits, of whatever store.
  var inside: Set<UInt64> = []
  /// By what the center knows the attempts that wait for anything.
  var works: [AttemptToken: ObjectIdentifier] = [:]
}
