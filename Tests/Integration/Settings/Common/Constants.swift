import Foundation

// What says when the tasks of Occasions.swift run. An annotation is read on no actor, so that under default main-actor
// isolation each of these has to say that it belongs to none.

extension Notification.Name {
  nonisolated static let doorOpened = Notification.Name("doorOpened")
}

enum Shop {
  nonisolated static let closed = Notification.Name("closed")
  nonisolated static let opening = Date(timeIntervalSince1970: 4_102_444_800)
  nonisolated static let (customers, arrivals) = AsyncStream.makeStream(of: Int.self)
  // Whatever it is.
  nonisolated static var deliveries: some AsyncSequence<String, Never> {
    AsyncStream { continuation in
      continuation.yield("bread")
      continuation.finish()
    }
  }
}

/// What the tasks have done that nobody waits for.
enum Done {
  nonisolated static let (stream, lines) = AsyncStream.makeStream(of: String.self)
}
