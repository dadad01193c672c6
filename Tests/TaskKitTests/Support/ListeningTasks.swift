import Foundation
import TaskKit

/// Notification and sequence tasks as types, for the macros and the plugin.
enum ListeningTasks {
  struct Log: SharedKey {
    typealias Value = Recorder
  }

  nonisolated static let other = Notification.Name("ListeningTasks.Other")

  final class Station: Sendable {}
  nonisolated static let station = Station()

  @NotificationTask("ListeningTasks.News", burst: .coalesce)
  enum News {
    static func run(_ context: TaskContext<PostedNotification>) {
      context[Log.self]?.note("news \(context.payload.value("title", as: String.self) ?? "")")
    }
  }

  @NotificationTask(ListeningTasks.other, priority: .high)
  enum Other {
    static func run(_ context: TaskContext<PostedNotification>) async throws { context[Log.self]?.note("other") }
  }

  @NotificationTask("ListeningTasks.Weather", sender: ListeningTasks.station)
  enum Weather {
    static func run(_ context: TaskContext<PostedNotification>) {
      context[Log.self]?.note("weather \(context.payload.value("title", as: String.self) ?? "")")
    }
  }

  @SequenceTask(ListeningTasks.numbers)
  struct Numbers {
    func run(_ context: TaskContext<Int>) { context[Log.self]?.note("element \(context.payload)") }
  }

  static var numbers: some AsyncSequence<Int, Never> {
    AsyncStream { continuation in
      continuation.yield(1)
      continuation.yield(2)
      continuation.finish()
    }
  }
}
