package import Foundation

/// Notifications of the system that stand for events, passed on while this lives and a task wants them. Where the clock or
/// the zone was set, the center's schedules hear of it, too.
package final class NotificationSubscriptions {
  private let posts: NotificationCenter
  private var tokens: [any NSObjectProtocol] = []

  package init(
    _ events: [(Notification.Name, LifecycleEvent<Void, Void>)], from posts: NotificationCenter, to center: TaskCenter
  ) {
    self.posts = posts
    // By what they are called: not every Foundation has constants for them.
    let clockChanges = ["NSSystemClockDidChangeNotification", "NSSystemTimeZoneDidChangeNotification"]
    tokens = clockChanges.map { name in
      posts.addObserver(forName: Notification.Name(name), object: nil, queue: nil) { _ in center.clockDidChange() }
    }
    tokens += events.map { name, event in
      posts.addObserver(forName: name, object: nil, queue: nil) { _ in
        if center.isSubscribed(to: event) { center.begin(event) }
      }
    }
  }

  deinit { for token in tokens { posts.removeObserver(token) } }
}
