/// How early a job runs among those of its queue: first by `major`, then by `minor`, higher numbers first (Z4).
///
/// Among jobs of the same priority the one with fewer attempts runs first, then the older one (Z12). Every number of 64
/// bits is kept as it is (Zw9).
public struct JobPriority: Hashable, Comparable, Sendable, Codable, CustomStringConvertible {
  /// Decides first; higher numbers run earlier.
  public var major: Int
  /// Decides among those with the same ``major``.
  public var minor: Int

  /// 10 and 10 are what a job has that names none (Z3).
  public init(major: Int = 10, minor: Int = 10) {
    self.major = major
    self.minor = minor
  }

  /// 10 and 10, which is what a job has that names none.
  public static let `default` = JobPriority()

  /// A major priority of 100,000,000: what somebody is waiting for (Z3).
  public static let userInitiated = JobPriority(major: 100_000_000)

  public static func < (left: JobPriority, right: JobPriority) -> Bool {
    (left.major, left.minor) < (right.major, right.minor)
  }

  public var description: String { "\(major).\(minor)" }
}
