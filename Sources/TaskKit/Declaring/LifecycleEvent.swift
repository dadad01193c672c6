/// A moment in the life of a program at which tasks run, with the payload that comes with it and the reply it wants.
///
/// The known ones are static members (``willFinishLaunching``, ``didBecomeActive``, …). An own one takes a line:
///
/// ```swift
/// extension LifecycleEvent<Order, Void> {
///   nonisolated static var orderPlaced: Self { .init("orderPlaced") }
/// }
///
/// await center.send(.orderPlaced, order)
/// ```
///
/// Two events of one name are the same event, so they must agree in payload, reply and how often they happen: a build error
/// where the generator can read both, a thrown error where they meet at run time. Of a generated registry whose types alone
/// tell, the task that comes later fails, and says so.
public struct LifecycleEvent<Payload: Sendable, Reply: Sendable>: Sendable {
  /// Without the types: a generic function reaches it without asking for the layout of this one.
  let description: EventDescription

  /// By what centers know it: events of one name are one event, whatever constant says it.
  public var name: String { description.name }

  /// Whether the event happens once in the life of a center: a second send returns at once, and its report says so.
  public var isOnce: Bool { description.isOnce }

  /// What a send does while an earlier one of the same event is still running. Where tasks run at an event of that name, what
  /// they say of it counts, whatever constant is sent.
  public var burst: BurstPolicy { description.burst }

  /// An event whose tasks answer with a `Reply`.
  ///
  /// In such an event `run` returns `Reply`, or nothing to abstain. The merged reply is in the report.
  public init(_ name: String, once: Bool = false, burst: BurstPolicy = .queue, reply rule: ReplyRule<Reply>) {
    description = EventDescription(
      EventIdentity(name: name, payload: Payload.self, reply: Reply.self, isOnce: once), burst: burst,
      reply: ErasedReplyRule(rule))
  }
}

extension LifecycleEvent where Reply == Void {
  /// An event that wants no reply; what its tasks return is their output.
  public init(_ name: String, once: Bool = false, burst: BurstPolicy = .queue) {
    description = EventDescription(
      EventIdentity(name: name, payload: Payload.self, reply: nil, isOnce: once), burst: burst, reply: nil)
  }
}

extension LifecycleEvent {
  init(_ description: EventDescription) {
    self.description = description
  }
}

/// What a send does while an earlier one of the same event is still running or waiting.
///
/// A once-only event has no bursts: with a policy that is not ``queue`` its tasks are refused, in the build where it can read
/// both, where they are injected and where a registry is proved.
public enum BurstPolicy: Sendable, Hashable {
  /// It waits its turn: every send runs, in order.
  case queue

  /// Waiting sends become one: the newest payload runs, and all of them get its report.
  case coalesce

  /// It does not run; its report says so. Of a notification and an element, which have no sender, observers of the center hear
  /// that (``CenterEvent/Kind-swift.enum/occurrenceDropped(_:)``), as they do of what others took the place of.
  case drop

  /// The one that is running is cancelled, and this one runs when that has ended. Waiting ones become one, as with
  /// ``coalesce``.
  case replace

  /// It runs when that time has passed without a further send; then the newest payload runs, and all of them get its
  /// report.
  case debounce(Duration)

  /// How long a send waits for another one, in nanoseconds.
  var quietTime: Int64? {
    if case .debounce(let time) = self { time.nanoseconds } else { nil }
  }

  /// Whether sends that wait become one.
  var isMerging: Bool {
    switch self {
    case .coalesce, .replace, .debounce: true
    case .queue, .drop: false
    }
  }
}
