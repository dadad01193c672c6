public import Foundation

/// Whose local time a schedule of the calendar means.
public struct ScheduleTimeZone: Sendable, Hashable, ExpressibleByStringLiteral {
  private enum Kind: Hashable {
    case current
    case fixed(TimeZone)
    case unknown(String)
  }

  private let kind: Kind

  private init(kind: Kind) {
    self.kind = kind
  }

  /// The zone of the machine. When that changes, what has not run yet is planned anew.
  public static let current = ScheduleTimeZone(kind: .current)

  /// Coordinated universal time, whose clocks are never changed.
  public static let utc = ScheduleTimeZone(.gmt)

  /// One zone, wherever the machine is.
  public init(_ zone: TimeZone) {
    kind = .fixed(zone)
  }

  /// A zone by its name in the time zone database, as in `"Europe/Berlin"`.
  ///
  /// A task with a zone that the machine does not know is refused by `inject`; one that was collected never fires, and its
  /// ``ScheduleStatus`` says why.
  public init(stringLiteral name: String) {
    kind = TimeZone(identifier: name).map(Kind.fixed) ?? .unknown(name)
  }

  var problem: String? {
    if case .unknown(let name) = kind { "the machine knows no time zone '\(name)'" } else { nil }
  }

  var followsMachine: Bool { kind == .current }

  func zone(ofMachine zone: TimeZone) -> TimeZone {
    if case .fixed(let fixed) = kind { fixed } else { zone }
  }
}
