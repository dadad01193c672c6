/// How early a task starts among those that could start: an open integer scale on which higher starts earlier.
///
/// Priority never overrides a dependency. A task is at least as urgent as its most urgent dependent, so the
/// *effective* priority that the scheduler uses may be higher than the declared one (law of order, rule 2).
///
/// ```swift
/// @EventTask(priority: .critical, event: .willFinishLaunching)
/// enum ReportCrashes { static func run() { … } }
///
/// @EventTask(priority: Priority(600), event: .didFinishLaunching)
/// enum WarmCaches { static func run() { … } }
/// ```
///
/// The four named levels are those of RWTaskKit (R10); the numbers between them are free for fine tuning.
public struct Priority: RawRepresentable, Hashable, Comparable, Sendable, Codable {
  public let rawValue: Int

  public init(rawValue: Int) {
    self.rawValue = rawValue
  }

  /// A level of your own, for example `Priority(600)`, between `.default` and `.high`.
  public init(_ rawValue: Int) {
    self.rawValue = rawValue
  }

  /// 1000: what nothing may delay.
  public static let critical = Priority(1000)

  /// 750: what most of the rest is waiting for.
  public static let high = Priority(750)

  /// 500: the level of a task that names none.
  public static let `default` = Priority(500)

  /// 250: what can wait until everything else has started.
  public static let low = Priority(250)

  public static func < (left: Priority, right: Priority) -> Bool {
    left.rawValue < right.rawValue
  }
}

extension Priority: ExpressibleByIntegerLiteral, CustomStringConvertible {
  public init(integerLiteral value: Int) {
    self.init(value)
  }

  public var description: String {
    switch self {
    case .critical: "critical"
    case .high: "high"
    case .default: "default"
    case .low: "low"
    default: String(rawValue)
    }
  }
}
