/// Something outside of the program that has to hold for a job to run, by its name (Z13).
///
/// ```swift
/// extension Constraint { static let vpn = Constraint("vpn") }
/// ```
///
/// A ``ConstraintMonitor`` says whether it holds. One of which nobody says anything does not hold, and
/// ``JobOperations/why(_:)`` says so; of a kind that requires one it is reported when the workers run.
public struct Constraint: Hashable, Sendable, Codable, CustomStringConvertible, ExpressibleByStringLiteral {
  /// What it is called: in ``JobOptions/requires``, in the store and in answers to people.
  public let name: String

  public init(_ name: String) { self.name = name }

  public init(stringLiteral name: String) { self.init(name) }

  // Which of them TaskKit's monitors know: the table of <doc:RunningJobs>.

  /// Some way to other networks. Known on Linux and on Apple's systems.
  public static let network = Constraint("network")
  /// One that costs nothing by the byte. Known on Apple's systems. On Linux it takes a monitor of your own: without one a job that
  /// requires it waits for ever, unless it is only preferred until a date (``JobOptions/requiresFor``).
  public static let unmetered = Constraint("unmetered")
  /// The machine has power from outside. Known on Linux, iOS and visionOS. On Apple's other systems it takes a monitor of your own:
  /// without one a job that requires it waits for ever, unless it is only preferred until a date (``JobOptions/requiresFor``).
  public static let charging = Constraint("charging")
  /// Nobody uses the machine. It takes a monitor of your own everywhere: without one a job that requires it waits for ever, unless it
  /// is only preferred until a date (``JobOptions/requiresFor``).
  public static let idle = Constraint("idle")

  public var description: String { name }
}

/// Whether a constraint holds.
public enum ConstraintState: String, Hashable, Sendable, Codable {
  /// It holds.
  case satisfied
  /// It does not hold, and jobs that require it wait.
  case unsatisfied
  /// Counts as not satisfied, and is reported.
  case unknown
}

/// Watches constraints.
public protocol ConstraintMonitor: Sendable {
  /// What it can say something about.
  var constraints: [Constraint] { get }

  /// How they stand, at once, and then at each change of one of them. Whoever iterates it ends it.
  ///
  /// One that does not know yet says ``ConstraintState/unknown``: until each has said something or ended,
  /// ``JobOperations/idle(deadline:)`` does not return, since jobs may be about to run.
  func states() -> AsyncStream<[Constraint: ConstraintState]>
}
