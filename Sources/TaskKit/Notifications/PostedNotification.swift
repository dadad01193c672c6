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

  /// The name under which it was posted.
  public var name: Notification.Name { contents.notification.name }

  /// The sender, if it is of that type: a concrete one, as for ``value(_:as:)``.
  public func sender<Sender: Sendable>(as type: Sender.Type = Sender.self) -> Sender? {
    Self.read(contents.notification.object, as: type)
  }

  /// What was posted under a key, if it is of that type.
  ///
  /// Name a concrete type. Nothing is an `any Sendable` here, because it cannot be seen in something whether it may be
  /// passed between threads; of an array or a dictionary of those nobody looks at what is in it.
  public func value<Value: Sendable>(_ key: some Hashable & Sendable, as type: Value.Type = Value.self) -> Value? {
    Self.read(contents.notification.userInfo?[AnyHashable(key)], as: type)
  }

  private static func read<Value: Sendable>(_ posted: Any?, as type: Value.Type) -> Value? {
    // What is left of 'any Sendable' when the program runs: a cast to these always succeeds.
    var bare: Any.Type = type
    while let optional = bare as? any OptionalType.Type { bare = optional.wrapped }
    guard bare != Any.self, bare != AnyObject.self else { return nil }
    // A cast of what is not there to a type that may be nil would find nil.
    return posted.flatMap { $0 as? Value }
  }

  /// The keys of what was posted that are texts.
  public var keys: Set<String> {
    Set((contents.notification.userInfo ?? [:]).keys.compactMap { $0.base as? String })
  }

  /// The same as if nobody had posted it, unless its sender is a value: for who must not keep an object alive.
  var withoutSender: PostedNotification {
    guard senderIdentity != nil else { return self }
    var notification = contents.notification
    notification.object = nil
    return PostedNotification(notification)
  }

  /// Nil if there is none, or if it is a value.
  var senderIdentity: ObjectIdentifier? {
    guard let object = contents.notification.object, type(of: object) is any AnyObject.Type else { return nil }
    return ObjectIdentifier(object as AnyObject)
  }
}

/// A type that may be nil.
private protocol OptionalType {
  static var wrapped: Any.Type { get }
}

extension Optional: OptionalType {
  fileprivate static var wrapped: Any.Type { Wrapped.self }
}

/// Which notification a task runs at.
struct NotificationTrigger: Sendable {
  let name: Notification.Name
  /// Nil for any sender.
  let sender: (any AnyObject & Sendable)?

  /// Each sender has an event of its own, with bursts of its own: the address tells it from others of its type.
  var eventName: String {
    guard let sender else { return "@NotificationTask(\(name.rawValue))" }
    let address = UInt(bitPattern: Unmanaged.passUnretained(sender).toOpaque())
    return "@NotificationTask(\(name.rawValue), sender: \(type(of: sender)) at 0x\(String(address, radix: 16)))"
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
    let trigger = NotificationTrigger(name: name, sender: sender)
    return Self(
      EventDescription(
        EventIdentity(name: trigger.eventName, payload: PostedNotification.self, reply: nil, isOnce: false),
        burst: burst, reply: nil, trigger: .notification(trigger)))
  }
}
