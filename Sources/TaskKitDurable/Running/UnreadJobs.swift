/// What is known in this process of the jobs of a kind that cannot be read, or could not: of one type that has the kind's name, and of
/// no other.
struct UnreadJobs {
  /// Of a job that another process had parked, and may park again and again.
  private struct Release {
    /// Until when there is no other.
    var until: Duration
    var pause: Duration
  }

  /// The type that reads them.
  let type: ObjectIdentifier
  /// Versions of payloads that it has met and cannot read: from then on it leaves their jobs to others.
  private(set) var versions: Set<Int> = []
  /// Jobs that it could not read itself: they are released by others, or somebody.
  private(set) var jobs: Set<JobID> = []
  private var releases: [JobID: Release] = [:]

  init(type: ObjectIdentifier) { self.type = type }

  static let shortestPause = Duration.seconds(10)
  static let longestPause = Duration.seconds(3600)

  mutating func note(version: Int) { versions.insert(version) }

  mutating func note(_ job: JobID) {
    jobs.insert(job)
    releases[job] = nil
  }

  /// Says whether a held job may be released: the same one not again at once, as a process that cannot read it may be the first to have
  /// it each time, but each time twice as late.
  ///
  /// - Parameters:
  ///   - now: on the center's continuous clock.
  ///   - next: becomes the time after which it may be, where that is the earlier one.
  func mayRelease(_ job: JobID, now: Duration, next: inout Duration?) -> Bool {
    guard !jobs.contains(job) else { return false }
    guard let last = releases[job], now < last.until else { return true }
    next = min(next ?? last.until - now, last.until - now)
    return false
  }

  /// It has been released. By now it may have been met here, and not be released again.
  mutating func noteRelease(of job: JobID, now: Duration) {
    guard !jobs.contains(job) else { return }
    let pause = releases[job].map { min(Self.longestPause, $0.pause * 2) } ?? Self.shortestPause
    releases[job] = Release(until: now + pause, pause: pause)
  }

  /// One that has not been held for so long begins anew.
  mutating func forgetOld(now: Duration) {
    releases = releases.filter { now < $0.value.until + Self.longestPause }
  }
}
