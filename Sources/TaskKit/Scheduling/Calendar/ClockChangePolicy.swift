/// What becomes of fixed local times when the clocks of a time zone are changed.
///
/// It is about rules that name times, such as `30 2 * * *`. A rule whose hours are all hours, or whose minutes begin
/// with `*`, is a rate: it follows elapsed time through every change, in each real minute whose local time matches,
/// twice in an hour that happens twice.
public struct ClockChangePolicy: Hashable, Sendable, Codable {
  /// What happens to a local time that the clocks skip.
  public enum Gap: String, Hashable, Sendable, Codable {
    /// The rule runs once, at the first instant after the gap, however many of its times were skipped.
    case runAfter
    /// The rule does not run.
    case skip
  }

  /// What happens at a local time that the clocks show twice.
  public enum Overlap: String, Hashable, Sendable, Codable {
    /// The rule runs at the first of the two instants.
    case first
    /// The rule runs at both.
    case both
  }

  /// What happens to a local time that the clocks skip.
  public var gap: Gap
  /// What happens at a local time that the clocks show twice.
  public var overlap: Overlap

  /// - Parameters:
  ///   - gap: what happens to a local time that the clocks skip.
  ///   - overlap: what happens at a local time that the clocks show twice.
  public init(gap: Gap = .runAfter, overlap: Overlap = .first) {
    self.gap = gap
    self.overlap = overlap
  }

  /// Once in each case: after a gap, and at the first of two instants.
  public static let once = ClockChangePolicy()
}
