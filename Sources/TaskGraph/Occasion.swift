/// What a task waits to be started by.
public enum Occasion: Sendable, Hashable {
  /// An event, by its name.
  case event(String)
  /// A date, a timer or a calendar rule.
  case schedule
  /// A notification, by its name.
  case notification(String)
  /// A notification of a name that only the program itself knows, by what the source has in its place.
  case unreadNotification(String)
  /// The elements of an asynchronous sequence, by a name of its own.
  case elements(String)

  /// Whether both may be one, as far as is known.
  package func mayBe(_ other: Occasion) -> Bool {
    switch (self, other) {
    case (.unreadNotification, .unreadNotification), (.unreadNotification, .notification),
      (.notification, .unreadNotification):
      true
    default: self == other
    }
  }

  /// The part of an app's life in which the occasion can come.
  ///
  /// Schedules and notifications come between launch and termination.
  public var moment: Moment {
    guard case .event(let name) = self else { return .between }
    return switch name {
    case "willFinishLaunching": .willFinishLaunching
    case "didFinishLaunching": .didFinishLaunching
    case "willTerminate": .willTerminate
    default: .between
    }
  }

  /// The parts of an app's life, of which each can only come after the one before.
  public enum Moment: Int, Sendable, Comparable {
    /// Before the launch has ended; the first there is.
    case willFinishLaunching
    /// The launch has ended.
    case didFinishLaunching
    /// Every other event, in no order among themselves.
    case between
    /// The last there is.
    case willTerminate

    /// True if `second` can only come after `first`.
    public static func < (first: Self, second: Self) -> Bool { first.rawValue < second.rawValue }
  }
}
