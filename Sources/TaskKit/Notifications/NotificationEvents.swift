import Foundation

/// The events of one notification: that of the tasks which take it from anybody, and one for each sender that tasks wait
/// for.
struct NotificationEvents {
  /// With how many tasks there are; under nil that of any sender.
  private var events: [ObjectIdentifier?: (event: EventDescription, tasks: Int)] = [:]

  var isEmpty: Bool { events.isEmpty }

  mutating func addTask(of event: EventDescription, sender: (any AnyObject & Sendable)?) {
    events[sender.map { ObjectIdentifier($0) }, default: (event, 0)].tasks += 1
  }

  /// - Returns: the event, if that was the last of its tasks. It may hold the last reference to the sender.
  mutating func removeTask(sender: (any AnyObject & Sendable)?) -> EventDescription? {
    let key = sender.map { ObjectIdentifier($0) }
    events[key]?.tasks -= 1
    return events[key]?.tasks == 0 ? events.removeValue(forKey: key)?.event : nil
  }

  /// Those that a notification is an occurrence of: the sender's own first.
  func events(at notification: PostedNotification) -> [EventDescription] {
    let own = notification.senderIdentity.flatMap { events[$0]?.event }
    return [own, events[nil]?.event].compactMap { $0 }
  }
}
