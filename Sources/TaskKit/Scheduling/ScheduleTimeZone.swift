public import Foundation
import TaskGraph

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

  /// The zone that the center's ``TimeSource`` says, which is that of the machine unless it was given another. When that
  /// changes, what has not run yet is planned anew.
  public static let current = ScheduleTimeZone(kind: .current)

  /// Coordinated universal time, whose clocks are never changed.
  public static let utc = ScheduleTimeZone(.gmt)

  /// One zone, wherever the machine is.
  public init(_ zone: TimeZone) {
    kind = .fixed(zone)
  }

  /// A zone by its name in the time zone database, as in `"Europe/Berlin"`.
  ///
  /// A definition with a zone that the machine does not know is refused, by `inject` as by a registry. An annotated task
  /// is not: the machine is to blame, and everything else goes on. It never fires, its ``ScheduleStatus`` says why, and
  /// when the center starts its events do so (``CenterEvent/Kind-swift.enum/scheduleIsImpossible(_:_:)``) and
  /// ``TaskCenter/Configuration/report``. Where the machine that builds it does not know the name either, the build warns at
  /// the literal.
  public init(stringLiteral name: String) {
    kind = TimeZone(identifier: name).map(Kind.fixed) ?? .unknown(name)
  }

  var problem: String? {
    guard case .unknown(let name) = kind else { return nil }
    return UnknownTimeZone.message(name, among: TimeZone.knownTimeZoneIdentifiers)
  }

  var followsMachine: Bool { kind == .current }

  /// For people.
  var words: String {
    switch kind {
    case .current: "local time"
    case .fixed(.gmt): "UTC"
    case .fixed(let zone): zone.identifier
    case .unknown(let name): name
    }
  }

  func zone(ofMachine zone: TimeZone) -> TimeZone {
    if case .fixed(let fixed) = kind { fixed } else { zone }
  }
}
