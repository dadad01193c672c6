import Foundation
import TaskGraph

/// An event with its types erased: what a registry and a plan need to know of it.
struct EventDescription: Sendable {
  /// Who says that it happens.
  enum Trigger: Sendable {
    /// A send.
    case program
    case schedule(TaskSchedule)
    case notification(NotificationTrigger)
    case elements(ElementsTrigger)
  }

  let identity: EventIdentity
  let burst: BurstPolicy
  let reply: ErasedReplyRule?
  let trigger: Trigger
  /// Kept, because each send asks: to look into the trigger copies it.
  let isOfNotifications: Bool

  init(_ identity: EventIdentity, burst: BurstPolicy, reply: ErasedReplyRule?, trigger: Trigger = .program) {
    self.identity = identity
    self.burst = burst
    self.reply = reply
    self.trigger = trigger
    isOfNotifications = if case .notification = trigger { true } else { false }
  }

  /// What the proof of the graph knows it as.
  var occasion: Occasion {
    switch trigger {
    case .program: .event(name)
    case .schedule: .schedule
    case .notification(let trigger): .notification(trigger.name.rawValue)
    case .elements: .elements(name)
    }
  }

  var notification: NotificationTrigger? {
    if case .notification(let trigger) = trigger { trigger } else { nil }
  }

  var elements: ElementsTrigger? {
    if case .elements(let trigger) = trigger { trigger } else { nil }
  }

  var schedule: TaskSchedule? {
    if case .schedule(let schedule) = trigger { schedule } else { nil }
  }

  var name: String { identity.name }
  var isOnce: Bool { identity.isOnce }
}

/// What two events of one name must have in common, so that they are one event.
struct EventIdentity: Sendable, Equatable {
  let name: String
  let payload: any Sendable.Type
  /// Nil for an event that wants none.
  let reply: (any Sendable.Type)?
  let isOnce: Bool

  static func == (one: EventIdentity, other: EventIdentity) -> Bool {
    one.isOnce == other.isOnce && one.payload == other.payload && one.reply == other.reply && one.name == other.name
  }
}

/// A reply rule with its type erased.
struct ErasedReplyRule: Sendable {
  /// Merges the replies, given in the law's order; nil when there is none and nobody said what that means.
  let merge: @Sendable ([any Sendable]) -> (any Sendable)?
  let accepts: @Sendable (any Sendable) -> Bool

  init<Reply: Sendable>(_ rule: ReplyRule<Reply>) {
    accepts = { $0 is Reply }
    merge = { replies in
      let typed = replies.compactMap { $0 as? Reply }
      guard let first = typed.first else { return rule.whenNobodyAnswers }
      return typed.dropFirst().reduce(first, rule.merge)
    }
  }
}
