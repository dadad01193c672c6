#if !canImport(Darwin)
import Foundation
import StandInUserNotifications
import TaskKit
import TaskKitTesting
import Testing

/// `UNUserNotificationCenterDelegate`, callback by callback; the system calls it on any thread.
@Suite struct UserNotificationsTests {
  private func notification() -> UNNotification {
    let content = UNNotificationContent(
      title: "Tea", subtitle: "Green", body: "is ready", badge: 3, categoryIdentifier: "drink",
      threadIdentifier: "kitchen", userInfo: ["cup": 2])
    return UNNotification(
      date: Date(timeIntervalSince1970: 60),
      request: UNNotificationRequest(identifier: "tea", content: content, trigger: UNPushNotificationTrigger()))
  }

  private let payload = SystemNotification(
    identifier: "tea", title: "Tea", subtitle: "Green", body: "is ready", badge: 3, category: "drink",
    thread: "kitchen", date: Date(timeIntervalSince1970: 60), isRemote: true, userInfo: ["cup": .integer(2)])

  private func answered(_ center: TaskCenter) -> [String] {
    let delegate = TaskNotificationDelegate(center: center)
    return UserNotificationsCallbacks.center.all.map(\.selector).filter { delegate.responds(to: Selector($0)) }
  }

  @Test func `a notification in the foreground is shown in every way that a task asks for`() async throws {
    let payloads = Values<SystemNotification>()
    let center = try TaskCenter.with([
      .event(
        .willPresentNotification, name: "banner",
        replying: { context in
          payloads.append(context.payload)
          return [.banner, .list]
        }),
      .event(.willPresentNotification, name: "sound", replying: { _ in [.sound, .badge] }),
    ])
    #expect(answered(center) == ["userNotificationCenter:willPresentNotification:withCompletionHandler:"])
    let delegate = TaskNotificationDelegate(center: center)
    let options = await withCheckedContinuation { continuation in
      delegate.userNotificationCenter(
        UNUserNotificationCenter(), willPresent: notification(),
        withCompletionHandler: { continuation.resume(returning: $0) })
    }
    #expect(options == [.banner, .list, .sound, .badge])
    #expect(payloads.values == [payload])
  }

  @Test func `a notification of the program itself that says little is told as one`() async throws {
    let payloads = Values<SystemNotification>()
    let center = try TaskCenter.with([
      .event(
        .willPresentNotification, name: "task",
        replying: { context in
          payloads.append(context.payload)
          return []
        })
    ])
    let delegate = TaskNotificationDelegate(center: center)
    let date = Date(timeIntervalSince1970: 60)
    let content = UNNotificationContent(title: "", body: "", userInfo: [:])
    let notification = UNNotification(date: date, request: UNNotificationRequest(identifier: "tea", content: content))
    _ = await withCheckedContinuation { continuation in
      delegate.userNotificationCenter(
        UNUserNotificationCenter(), willPresent: notification,
        withCompletionHandler: { continuation.resume(returning: $0) })
    }
    #expect(payloads.values == [SystemNotification(identifier: "tea", date: date)])
  }

  @Test func `it is not shown when nobody answers`() async {
    let delegate = TaskNotificationDelegate(center: TaskCenter())
    let options = await withCheckedContinuation { continuation in
      delegate.userNotificationCenter(
        UNUserNotificationCenter(), willPresent: notification(),
        withCompletionHandler: { continuation.resume(returning: $0) })
    }
    #expect(options == [])
  }

  @Test func `what the person did comes with the notification, and its handler after the tasks`() async throws {
    let notes = Recorder()
    let center = try TaskCenter.with([
      .event(.didReceiveNotificationResponse, name: "task") { context in
        await Task.yield()
        notes.note("\(context.payload.action) \(context.payload.text ?? "") \(context.payload.notification.identifier)")
      }
    ])
    #expect(answered(center) == ["userNotificationCenter:didReceiveNotificationResponse:withCompletionHandler:"])
    let delegate = TaskNotificationDelegate(center: center)
    let response = UNTextInputNotificationResponse(
      notification: notification(), actionIdentifier: "reply", userText: "thanks")
    await withCheckedContinuation { continuation in
      delegate.userNotificationCenter(
        UNUserNotificationCenter(), didReceive: response,
        withCompletionHandler: {
          notes.note("called")
          continuation.resume()
        })
    }
    #expect(notes.notes == ["reply thanks tea", "called"])
  }

  @Test func `asking for the settings of notifications is an event`() async throws {
    let (notes, payloads) = (Recorder(), Values<SystemNotification?>())
    let center = try TaskCenter.with([
      .event(.openNotificationSettings, name: "task") { context in
        payloads.append(context.payload)
        notes.note("settings")
      }
    ])
    #expect(answered(center) == ["userNotificationCenter:openSettingsForNotification:"])
    let delegate = TaskNotificationDelegate(center: center)
    for (count, notification) in [nil, notification()].enumerated() {
      delegate.userNotificationCenter(UNUserNotificationCenter(), openSettingsFor: notification)
      #expect(await notes.notes(count + 1).count == count + 1)
    }
    #expect(payloads.values == [nil, payload])
  }
}
#endif
