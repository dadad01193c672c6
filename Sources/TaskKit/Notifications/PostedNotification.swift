public import Foundation

/// A notification as a task gets to see it: it may be passed to another thread, and gives out only what may be as well.
///
/// What was posted is kept until the last copy is gone, which may be on another thread.
public struct PostedNotification: Sendable {
  // Never changed after it was made, and read only as types that are `Sendable`.
  private final class Contents: @unchecked Sendable {
    let notification: Notification

    init(_ notification: Notification) {
      self.notification = notification
    }
  }

  private let contents: Contents

  init(_ notification: Notification) {
    contents = Contents(notification)
  }

  public var name: Notification.Name { contents.notification.name }

  /// The sender, if it is of that type.
  public func sender<Sender: Sendable>(as type: Sender.Type = Sender.self) -> Sender? {
    contents.notification.object as? Sender
  }

  /// What was posted under a key, if it is of that type.
  public func value<Value: Sendable>(_ key: some Hashable & Sendable, as type: Value.Type = Value.self) -> Value? {
    contents.notification.userInfo?[AnyHashable(key)] as? Value
  }

  /// The keys of what was posted that are texts.
  public var keys: Set<String> {
    Set((contents.notification.userInfo ?? [:]).keys.compactMap { $0.base as? String })
  }

  func isSent(by sender: any AnyObject & Sendable) -> Bool {
    guard let object = contents.notification.object, type(of: object) is any AnyObject.Type else { return false }
    return object as AnyObject === sender
  }
}

/// Which notification a task runs at.
struct NotificationTrigger: Sendable {
  let name: Notification.Name
  /// Nil for any sender.
  let sender: (any AnyObject & Sendable)?
}

extension TaskBody {
  /// The same body, switched off at notifications of others.
  func only(from sender: any AnyObject & Sendable) -> TaskBody {
    @Sendable func check(_ frame: TaskFrame) throws {
      guard (frame.payload as? PostedNotification)?.isSent(by: sender) == true else { throw TaskDisabled() }
    }
    return switch self {
    case .plain(let run):
      .framed { frame in
        try check(frame)
        return try run()
      }
    case .plainAsync(let run):
      .framedAsync { frame in
        try check(frame)
        return try await run()
      }
    case .framed(let run):
      .framed { frame in
        try check(frame)
        return try run(frame)
      }
    case .framedAsync(let run):
      .framedAsync { frame in
        try check(frame)
        return try await run(frame)
      }
    case .main(let run):
      .main { frame in
        try check(frame)
        return try run(frame)
      }
    }
  }
}

extension LifecycleEvent where Payload == PostedNotification, Reply == Void {
  /// The occasion of a notification task. For the macros' output only.
  public nonisolated static func __notification(
    _ name: String, sender: (any AnyObject & Sendable)? = nil, burst: BurstPolicy = .queue
  ) -> Self {
    __notification(Notification.Name(name), sender: sender, burst: burst)
  }

  /// The occasion of a notification task. For the macros' output only.
  public nonisolated static func __notification(
    _ name: Notification.Name, sender: (any AnyObject & Sendable)? = nil, burst: BurstPolicy = .queue
  ) -> Self {
    Self(
      EventDescription(
        EventIdentity(
          name: "@NotificationTask(\(name.rawValue))", payload: PostedNotification.self, reply: nil, isOnce: false),
        burst: burst, reply: nil, trigger: .notification(NotificationTrigger(name: name, sender: sender))))
  }
}
