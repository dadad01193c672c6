/// Something that events come from: signals, memory pressure, a clock that is set, a socket.
///
/// A center that owns its process (``TaskCenter/run(sources:options:ifLaunchFails:shutdownDeadline:)``) runs its sources from before the
/// launch until the shutdown. An own one takes a few lines:
///
/// ```swift
/// extension EventSource {
///   static func orders(_ queue: OrderQueue) -> EventSource {
///     EventSource("orders") { sink in
///       for try await order in queue.orders { await sink.send(.orderPlaced, order) }
///     }
///   }
/// }
/// ```
public struct EventSource: Sendable {
  /// How it is called in reports.
  public let name: String

  /// Whether it goes on while the center shuts down.
  let outlivesShutdown: Bool

  /// Begins to listen, so that nothing is missed from its return on, and says how to go on.
  let open: @Sendable (EventSink) throws -> @Sendable () async throws -> Void

  /// A source of events.
  ///
  /// Its body begins beside the launch, not before it: what it must not miss of that is opened before, where the source is
  /// made, and captured.
  ///
  /// - Parameters:
  ///   - name: how it is called in reports.
  ///   - body: sends events into the sink until its task is cancelled, which happens when the shutdown begins. If it
  ///     returns before, the source has ended, and the process goes on; if it throws, its report says so. What cannot
  ///     work on this machine throws ``EventSourceUnavailable``.
  public init(_ name: String, _ body: @escaping @Sendable (EventSink) async throws -> Void) {
    self.init(name, outlivesShutdown: false) { sink in { try await body(sink) } }
  }

  init(
    _ name: String, outlivesShutdown: Bool = false,
    open: @escaping @Sendable (EventSink) throws -> @Sendable () async throws -> Void
  ) {
    self.name = name
    self.outlivesShutdown = outlivesShutdown
    self.open = open
  }
}

/// Thrown by a source that this machine, kernel or container does not offer.
public struct EventSourceUnavailable: Error, Sendable, CustomStringConvertible {
  /// What is missing, as a sentence.
  public let reason: String

  /// - Parameter reason: what is missing, in a sentence for whoever runs the program.
  public init(_ reason: String) {
    self.reason = reason
  }

  public var description: String { reason }
}

/// What became of a source of events.
public struct EventSourceReport: Sendable, Hashable, CustomStringConvertible {
  /// How far it has come.
  public enum State: Sendable, Hashable {
    /// It listens.
    case listening
    /// It came to its end, by itself or in the shutdown.
    case ended
    /// It does not exist here, for that reason.
    case unavailable(String)
    /// It threw that error.
    case failed(String)
  }

  /// What the source is called.
  public let name: String
  /// How far it has come.
  public internal(set) var state: State
  /// What it cannot do, in sentences: a signal that somebody else handles, a fallback that it took.
  public internal(set) var notes: [String] = []

  public var description: String {
    let state =
      switch state {
      case .listening: "listening"
      case .ended: "ended"
      case .unavailable(let reason): "unavailable: \(reason)"
      case .failed(let error): "failed: \(error)"
      }
    return ([name + ": " + state] + notes).joined(separator: "; ")
  }
}
