import Synchronization

/// The calls of a center, under a lock of their own. A class, so that a ``ScheduledCall`` needs no center.
final class ScheduledCalls: Sendable {
  let table: Mutex<ScheduledCallTable>

  init(wallCheck: Int64?) {
    table = Mutex(ScheduledCallTable(wallCheck: wallCheck))
  }

  /// Does something after which less may be due: those look again who wait for that.
  @inline(__always)
  func change<Result: Sendable>(_ change: (inout ScheduledCallTable) -> Result) -> Result {
    let (result, waiters) = table.withLock { table in
      let result = change(&table)
      return (result, table.takeWaiters())
    }
    for waiter in waiters { waiter.resume() }
    return result
  }

  /// Returns when no call is being made and none is due at a time, or something has become of those that were.
  func caughtUp(at now: Int64) async {
    await withCheckedContinuation { waiter in
      let hasCaughtUp = table.withLock { table in
        if table.hasCaughtUp(at: now) { return true }
        table.waiters.append(waiter)
        return false
      }
      if hasCaughtUp { waiter.resume() }
    }
  }

  /// Drops whatever is pending, and what comes from now on.
  func close() {
    let dropped = change { table in
      defer {
        table.delayed = DueHeap()
        table.dated = DueHeap()
        table.isClosed = true
      }
      return (table.delayed, table.dated)
    }
    // With the lock released, what the bodies hold may come to its end.
    withExtendedLifetime(dropped) {}
  }

  /// Drops a call for which nobody has to set the alarm any more.
  ///
  /// - Returns: whether somebody has.
  func keeps(_ token: ScheduledCallTable.Token) -> Bool {
    let (isClosed, dropped) = change { ($0.isClosed, $0.isClosed ? $0.remove(token) : nil) }
    withExtendedLifetime(dropped) {}
    return !isClosed
  }
}

/// Which calls are due when. Like the machine it has no clock: whoever calls says what time it is.
struct ScheduledCallTable: Sendable {
  /// In a struct, because a heap would wrap a bare closure in another one.
  struct Body: Sendable {
    let run: @Sendable () -> Void
  }

  struct Token: Sendable {
    fileprivate let place: DueHeap<Body>.Token
    fileprivate let isDated: Bool
  }

  /// Due on the continuous clock.
  fileprivate(set) var delayed = DueHeap<Body>()
  /// Due on the calendar's clock: when that is set, nothing in here changes, only by how much it is ahead.
  fileprivate(set) var dated = DueHeap<Body>()
  private var wallOffset: Int64 = 0
  private var lastLook: Int64 = 0
  private let wallCheck: Int64?

  /// Until when nobody needs to set the alarm: it rings then, or whoever fires looks again when it is done.
  private var isWatchedUntil: Int64 = .max
  private(set) var isFiring = false
  /// No call is made any more.
  fileprivate(set) var isClosed = false
  /// Who waits until no call is made and none is due.
  fileprivate var waiters: [CheckedContinuation<Void, Never>] = []

  init(wallCheck: Int64?) {
    self.wallCheck = wallCheck
  }

  /// - Returns: the token, and whether the alarm has to be set.
  @inline(__always)
  mutating func add(_ body: Body, due: Int64) -> (token: Token, mustSetAlarm: Bool) {
    if !dated.isEmpty { delayed.goOn(after: dated) }
    let place = delayed.add(body, due: due)
    guard due < isWatchedUntil || isClosed else { return (Token(place: place, isDated: false), false) }
    isWatchedUntil = due
    return (Token(place: place, isDated: false), true)
  }

  /// - Parameters:
  ///   - date: nanoseconds since 1970.
  ///   - now: what both clocks show.
  mutating func add(
    _ body: Body, date: Int64, continuous: Int64, wall: Int64
  ) -> (token: Token, mustSetAlarm: Bool) {
    dated.goOn(after: delayed)
    let place = dated.add(body, due: date)
    look(continuous: continuous, wall: wall)
    let due = earliest ?? .max
    guard due < isWatchedUntil || isClosed else { return (Token(place: place, isDated: true), false) }
    isWatchedUntil = due
    return (Token(place: place, isDated: true), true)
  }

  @inline(__always)
  mutating func remove(_ token: Token) -> Body? {
    token.isDated ? dated.remove(token.place) : delayed.remove(token.place)
  }

  func contains(_ token: Token) -> Bool {
    token.isDated ? dated.contains(token.place) : delayed.contains(token.place)
  }

  // MARK: - Who waits

  /// Whether no call is being made and none is due.
  func hasCaughtUp(at now: Int64) -> Bool { !isFiring && earliest.map { $0 > now } ?? true }

  /// Those who are to look again; while somebody fires nobody, as the end of that tells them.
  @inline(__always)
  fileprivate mutating func takeWaiters() -> [CheckedContinuation<Void, Never>] {
    guard !waiters.isEmpty, !isFiring else { return [] }
    defer { waiters = [] }
    return waiters
  }

  // MARK: - The clocks

  /// What the clocks show: from now on dates are due by that difference.
  mutating func look(continuous: Int64, wall: Int64) {
    // Whoever has read the clocks earlier and comes later knows less.
    guard continuous >= lastLook else { return }
    wallOffset = wall.earlier(by: continuous)
    lastLook = continuous
  }

  /// When something is to be done, on the continuous clock.
  var earliest: Int64? {
    guard let date = dated.earliest else { return delayed.earliest }
    let due = min(delayed.earliest ?? .max, continuous(date))
    return wallCheck.map { min(due, lastLook.later(by: $0)) } ?? due
  }

  /// The same for the alarm, which is set to it: nil while somebody fires and looks again afterwards.
  mutating func takeEarliest() -> Int64? {
    guard !isFiring else { return nil }
    let earliest = earliest
    isWatchedUntil = earliest ?? .max
    return earliest
  }

  private func continuous(_ date: Int64) -> Int64 {
    date.earlier(by: wallOffset)
  }

  // MARK: - Firing

  /// - Returns: nil if nothing is due, or somebody fires already, who looks again afterwards; otherwise whether there are
  ///   dates.
  mutating func beginFiring(at now: Int64) -> Bool? {
    guard !isFiring, let earliest, earliest <= now else { return nil }
    isFiring = true
    isWatchedUntil = .min
    return !dated.isEmpty
  }

  /// The same for whoever fires: nil if nothing more is due, and then the firing has ended.
  mutating func goOnFiring(at now: Int64) -> Bool? {
    if let earliest, earliest <= now { return !dated.isEmpty }
    isFiring = false
    isWatchedUntil = .max
    return nil
  }

  /// Takes the earliest call that is due.
  mutating func next(continuous now: Int64, wall: Int64) -> Body? {
    guard !isClosed else { return nil }
    guard let date = dated.earliest, date <= wall, isDatedFirst(continuous(date)) else { return delayed.next(at: now) }
    return dated.next(at: wall)
  }

  /// Whether a date comes before what is delayed: at the same time, if it was asked for earlier.
  private func isDatedFirst(_ date: Int64) -> Bool {
    guard let delay = delayed.earliest, delay <= date else { return true }
    return delay == date && dated.earliestSequence ?? 0 < delayed.earliestSequence ?? 0
  }
}
