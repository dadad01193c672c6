#if !canImport(Darwin)
import StandInUserNotifications
import TaskKit
import TaskKitTesting
import Testing

/// `UNUserNotificationCenterDelegate`, callback by callback; the system calls it on any thread.
@Suite struct UserNotificationsTests {
  private func notification() -> UNNotification {
    UNNotification(
      request: UNNotificationRequest(
        identifier: "tea", content: UNNotificationContent(title: "Tea", body: "is ready", userInfo: ["cup": 2])))
  }

  private let payload =
    #"SystemNotification(identifier: "tea", title: "Tea", body: "is ready", userInfo: ["cup": TaskKit.PropertyValue.integer(2)])"#

  private func answered(_ center: TaskCenter) -> [String] {
    let delegate = TaskNotificationDelegate(center: center)
    return UserNotificationsCallbacks.center.all.map(\.selector).filter { delegate.responds(to: Selector($0)) }
  }

  @Test func `a notification in the foreground is shown in every way that a task asks for`() async throws {
    let notes = Recorder()
    let center = try TaskCenter.with([
      .event(
        .willPresentNotification, name: "banner",
        replying: { context in
          notes.note("\(context.payload)")
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
    #expect(notes.notes == [payload])
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
    let notes = Recorder()
    let center = try TaskCenter.with([
      .event(.openNotificationSettings, name: "task") { _ in notes.note("settings") }
    ])
    #expect(answered(center) == ["userNotificationCenter:openSettingsForNotification:"])
    TaskNotificationDelegate(center: center).userNotificationCenter(UNUserNotificationCenter(), openSettingsFor: nil)
    #expect(await notes.notes(1) == ["settings"])
  }
}
#endif
