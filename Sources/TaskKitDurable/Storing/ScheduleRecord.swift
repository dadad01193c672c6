public import Foundation

/// What a store knows of a durable schedule.
public struct ScheduleRecord: Hashable, Sendable {
  /// When it was first heard of: intervals count from here.
  public var begun: Date
  /// The latest occurrence that was written down, or the end of the kind's latest pause where that is later. Whoever goes on
  /// from here gets the latest that the time has come for: an occurrence, since the end of a pause is forgotten where a clock
  /// that was ahead has fired later ones.
  public var latest: Date?
  /// How many were.
  public var count: Int

  public init(begun: Date, latest: Date?, count: Int) {
    self.begun = begun
    self.latest = latest
    self.count = count
  }
}
