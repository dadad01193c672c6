/// A line in which one thing runs at a time: annotated tasks that name it, and whatever is put into it at run time.
///
/// Declared once, so that a misspelt lane does not compile:
///
/// ```swift
/// extension Lane {
///   nonisolated static let popups = Lane("popups", isolation: .mainActor, timeout: .seconds(60), duplicates: .keepFirst)
/// }
///
/// @EventTask(event: .didBecomeActive, lane: .popups)
/// enum AskForReview { @MainActor static func run() async { … } }
///
/// center.lane(.popups).enqueue("upgrade") { … }
/// ```
///
/// Lanes of the same name are the same lane, so they must agree in everything. What disagrees is refused where the two meet:
/// in a registry that is proved, in an injection, and where something is put into the lane.
public struct Lane: Sendable, Hashable, CustomStringConvertible {
  /// Where a body runs that names no actor of its own: of what is put into the lane, and of tasks that name it.
  ///
  /// The asynchronous `run` of a type is no such body: it runs off all actors where it names none. The compiler lets it touch
  /// nothing of the main actor without `await` in any case; `@MainActor` before it says that it belongs there.
  public enum Isolation: Sendable, Hashable {
    /// On the main actor.
    case mainActor
    /// On no actor. What is put into the lane runs off the main actor, a task of an event as it would without a lane: one
    /// that is synchronous and has no time limit runs on the main actor if that has begun the event.
    case concurrent
  }

  /// What it means for the rest if something that was put into the lane does not succeed: fails, times out, or is
  /// cancelled while it runs. What is taken out, by ``LaneQueue/remove(_:)`` or ``LaneQueue/reset()``, or is replaced, has not
  /// failed.
  ///
  /// For an annotated task its own `onFailure:` says that.
  public enum FailureRule: Sendable, Hashable {
    /// The next one starts.
    case `continue`
    /// Nothing starts until the lane is told to go on; see ``LaneQueue/resume(at:)``.
    case stop
  }

  /// What becomes of something that is put into the lane while something of the same key waits or runs there.
  public enum DuplicateRule: Sendable, Hashable {
    /// It is not added: its ticket is for the one that is there.
    case keepFirst
    /// It takes the place of the one that waits, which ends as cancelled. One that runs is cancelled, and followed.
    case replace
    /// Both run.
    case both
  }

  /// When the lane starts to work. A gate that has opened stays open.
  public struct Gate: Sendable, Hashable, CustomStringConvertible {
    enum Kind: Sendable, Hashable {
      case atOnce
      case whenOpened
      case after(event: String)
      case when(Condition)
    }

    let kind: Kind

    /// There is no gate: what comes first starts at once.
    public static let atOnce = Gate(kind: .atOnce)

    /// When ``LaneQueue/open()`` is called.
    public static let whenOpened = Gate(kind: .whenOpened)

    /// When an occurrence of that event has ended, or has before the lane was first used; or when ``LaneQueue/open()`` is
    /// called before.
    public static func after<Payload, Reply>(_ event: LifecycleEvent<Payload, Reply>) -> Gate {
      Gate(kind: .after(event: event.name))
    }

    /// When a condition holds, or ``LaneQueue/open()`` is called before.
    ///
    /// ```swift
    /// extension Lane {
    ///   nonisolated static let uploads = Lane(
    ///     "uploads", opens: .when("the network is there") { await Network.shared.isReachable })
    /// }
    /// ```
    ///
    /// It is asked once in each center, on no actor, when the lane is first used: when something is put in, a task of the lane
    /// could start, or the lane is paused, not when somebody looks at it. It may take as long as it likes: what it awaits
    /// decides when the lane opens, and nothing is polled. Of a sequence it awaits the first element that says so. If the
    /// answer is false the lane stays closed. It is cancelled with the center, and by ``LaneQueue/open()``; what it answers
    /// then counts for nothing. A center that has shut down does not ask it any more.
    ///
    /// - Parameters:
    ///   - condition: what it is called; two lanes of one name agree if their conditions have one name.
    ///   - holds: returns when it is known.
    public static func when(_ condition: String, _ holds: @escaping @concurrent @Sendable () async -> Bool) -> Gate {
      Gate(kind: .when(Condition(name: condition, holds: holds)))
    }

    public var description: String {
      switch kind {
      case .atOnce: "at once"
      case .whenOpened: "when opened"
      case .after(let event): "after '\(event)'"
      case .when(let condition): "when '\(condition.name)'"
      }
    }
  }

  /// What a gate opens on. Two of one name are the same.
  struct Condition: Sendable, Hashable {
    let name: String
    let holds: @concurrent @Sendable () async -> Bool

    static func == (one: Condition, other: Condition) -> Bool { one.name == other.name }

    func hash(into hasher: inout Hasher) { hasher.combine(name) }
  }

  /// What it is called; lanes of one name are one lane in each center.
  public let name: String
  /// Where bodies run that name no actor.
  public let isolation: Isolation
  /// What a failure means for the rest.
  public let onFailure: FailureRule
  /// The longest that one attempt of something in the lane may take, a task that names it too, unless that says so itself.
  public let timeout: Duration?
  /// What becomes of a second one of the same key.
  public let duplicates: DuplicateRule
  /// When it starts to work.
  public let opens: Gate

  /// - Parameters:
  ///   - name: what the lane is called; it is one lane in each center.
  ///   - isolation: where bodies run that name no actor.
  ///   - onFailure: what a failure means for the rest.
  ///   - timeout: the longest that one attempt may take, where what is in the lane does not say so itself; more than zero,
  ///     or its tasks are refused, where they are injected and where a registry is proved, and what is put into it fails.
  ///   - duplicates: what becomes of a second one of the same key.
  ///   - opens: when the lane starts to work.
  public init(
    _ name: String, isolation: Isolation = .concurrent, onFailure: FailureRule = .continue, timeout: Duration? = nil,
    duplicates: DuplicateRule = .both, opens: Gate = .atOnce
  ) {
    self.name = name
    self.isolation = isolation
    self.onFailure = onFailure
    self.timeout = timeout
    self.duplicates = duplicates
    self.opens = opens
  }

  public var description: String { name }

  /// By name: lanes of the same name are the same lane.
  public static func == (one: Lane, other: Lane) -> Bool { one.name == other.name }

  public func hash(into hasher: inout Hasher) { hasher.combine(name) }

  /// Whether two lanes of one name agree.
  func agrees(with other: Lane) -> Bool {
    isolation == other.isolation && onFailure == other.onFailure && timeout == other.timeout
      && duplicates == other.duplicates && opens == other.opens
  }

  var condition: Condition? {
    if case .when(let condition) = opens.kind { condition } else { nil }
  }

  /// The event after which the lane opens.
  var gateEvent: String? {
    if case .after(let event) = opens.kind { event } else { nil }
  }
}

/// What is said when one name means two lanes.
enum LaneConflict {
  static func message(_ one: Lane, _ other: Lane) -> String {
    var differences: [String] = []
    func compare<Value: Equatable>(_ label: String, _ path: KeyPath<Lane, Value>) {
      guard one[keyPath: path] != other[keyPath: path] else { return }
      differences.append(
        "\(label): \(words(one[keyPath: path])) in one place and \(words(other[keyPath: path])) in another")
    }
    compare("isolation", \.isolation)
    compare("onFailure", \.onFailure)
    compare("timeout", \.timeout)
    compare("duplicates", \.duplicates)
    compare("opens", \.opens)
    return "lane '\(one)' is declared with \(differences.joined(separator: ", with ")); declare it once"
  }

  private static func words<Value>(_ value: Value) -> String {
    // The text of an optional shows that it is one.
    if let duration = value as? Duration? { return duration.map { "\($0)" } ?? "nil" }
    return "\(value)"
  }
}
