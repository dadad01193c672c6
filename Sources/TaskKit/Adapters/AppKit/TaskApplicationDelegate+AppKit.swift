#if TASKKIT_STAND_INS || (canImport(AppKit) && !targetEnvironment(macCatalyst))
public import Foundation
#if TASKKIT_STAND_INS
public import TaskKit
#else
public import AppKit
public import CloudKit
#endif

/// An app delegate that sends everything it hears to a center.
///
/// ```swift
/// final class AppDelegate: TaskApplicationDelegate {
///   override class var center: TaskCenter { .app }
/// }
/// ```
///
/// With SwiftUI: `@NSApplicationDelegateAdaptor(AppDelegate.self) private var delegate`.
///
/// It answers that it responds only to callbacks for which the center has a task at that moment (Ew4), and to those that
/// a subclass overrides. AppKit asks when it gets the delegate: tasks for further callbacks have to be there by then, a
/// pause is harmless. A subclass that overrides a callback calls `super`, or the center does not hear of it.
///
/// It does not call ``TaskCenter/start()``: an app with schedules, notifications, sequences or jobs calls it itself, or none
/// of them ever runs.
///
/// Where AppKit takes an answer later (ending, printing) it gets exactly one: the tasks' merged reply, at ``deadlines`` at
/// the latest. Other callbacks that return an answer wait for no asynchronous task.
@MainActor
open class TaskApplicationDelegate: NSObject, NSApplicationDelegate {
  private var subscriptions: NotificationSubscriptions?

  /// The center of the app. A subclass overrides it, and gives the same one each time.
  nonisolated open class var center: TaskCenter {
    preconditionFailure("override 'class var center' in \(self), so that it gives the app's center")
  }

  /// How long tasks may take where the system waits for them.
  nonisolated open class var deadlines: CallbackDeadlines { CallbackDeadlines() }

  private var bridge: CallbackBridge { CallbackBridge(Self.center, deadlines: Self.deadlines) }

  nonisolated open override func responds(to selector: Selector!) -> Bool {
    guard super.responds(to: selector), let selector else { return false }
    let isAnswered = AppKitCallbacks.application.isAnswered(NSStringFromSelector(selector), in: Self.center) ?? true
    return isAnswered
      || Self.instanceMethod(for: selector) != TaskApplicationDelegate.instanceMethod(for: selector)
  }

  // MARK: - Launch and end

  open func applicationWillFinishLaunching(_ notification: Notification) {
    subscriptions = NotificationSubscriptions(
      [
        (.NSCalendarDayChanged, .significantTimeChange), (.NSSystemClockDidChange, .significantTimeChange),
        (.NSSystemTimeZoneDidChange, .significantTimeChange),
      ], from: .default, to: Self.center)
    bridge.tell(.willFinishLaunching, LaunchOptions(notification))
  }

  open func applicationDidFinishLaunching(_ notification: Notification) {
    bridge.tell(.didFinishLaunching, LaunchOptions(notification))
  }

  open func applicationShouldTerminate(_ sender: NSApplication) -> NSApplication.TerminateReply {
    let answer = bridge.ask(.shouldTerminate, (), otherwise: true) { sender.reply(toApplicationShouldTerminate: $0) }
    guard let answer else { return .terminateLater }
    return answer ? .terminateNow : .terminateCancel
  }

  open func applicationShouldTerminateAfterLastWindowClosed(_ sender: NSApplication) -> Bool {
    bridge.ask(.shouldTerminateAfterLastWindowClosed, (), undecided: false)
  }

  open func applicationWillTerminate(_ notification: Notification) { bridge.end() }

  // MARK: - Activity

  open func applicationWillBecomeActive(_ notification: Notification) { bridge.tell(.willBecomeActive) }

  open func applicationDidBecomeActive(_ notification: Notification) { bridge.tell(.didBecomeActive) }

  open func applicationWillResignActive(_ notification: Notification) { bridge.tell(.willResignActive) }

  open func applicationDidResignActive(_ notification: Notification) { bridge.tell(.didResignActive) }

  open func applicationWillHide(_ notification: Notification) { bridge.tell(.willHide) }

  open func applicationDidHide(_ notification: Notification) { bridge.tell(.didEnterBackground) }

  open func applicationWillUnhide(_ notification: Notification) { bridge.tell(.willEnterForeground) }

  open func applicationDidUnhide(_ notification: Notification) { bridge.tell(.didUnhide) }

  open func applicationWillUpdate(_ notification: Notification) { bridge.tell(.willUpdateWindows) }

  open func applicationDidUpdate(_ notification: Notification) { bridge.tell(.didUpdateWindows) }

  open func applicationDidChangeScreenParameters(_ notification: Notification) {
    bridge.tell(.screenParametersDidChange)
  }

  open func applicationDidChangeOcclusionState(_ notification: Notification) {
    guard let application = notification.object as? NSApplication else { return }
    bridge.tell(.occlusionStateDidChange, application.occlusionState.contains(.visible))
  }

  open func applicationProtectedDataWillBecomeUnavailable(_ notification: Notification) {
    bridge.tell(.protectedDataWillBecomeUnavailable)
  }

  open func applicationProtectedDataDidBecomeAvailable(_ notification: Notification) {
    bridge.tell(.protectedDataDidBecomeAvailable)
  }

  // MARK: - Windows, files and URLs

  open func applicationShouldHandleReopen(_ sender: NSApplication, hasVisibleWindows flag: Bool) -> Bool {
    bridge.ask(.shouldHandleReopen, flag, undecided: true)
  }

  open func applicationShouldOpenUntitledFile(_ sender: NSApplication) -> Bool {
    bridge.ask(.shouldOpenUntitledFile, (), undecided: true)
  }

  open func applicationOpenUntitledFile(_ sender: NSApplication) -> Bool {
    // Whoever is still at it has taken it.
    bridge.ask(.openUntitledFile, (), undecided: true)
  }

  open func applicationSupportsSecureRestorableState(_ app: NSApplication) -> Bool {
    bridge.ask(.supportsSecureRestorableState, (), undecided: false)
  }

  open func applicationShouldAutomaticallyLocalizeKeyEquivalents(_ application: NSApplication) -> Bool {
    bridge.ask(.shouldLocalizeKeyCommands, (), undecided: true)
  }

  open func application(_ application: NSApplication, willPresentError error: any Error) -> any Error {
    bridge.ask(.willPresentError, error, undecided: error)
  }

  open func application(_ application: NSApplication, open urls: [URL]) {
    for url in urls { bridge.tell(.openURL, OpenURLRequest(url, opensInPlace: url.isFileURL)) }
  }

  open func application(
    _ application: NSApplication, printFiles fileNames: [String],
    withSettings printSettings: [NSPrintInfo.AttributeKey: Any], showPrintPanels: Bool
  ) -> NSApplication.PrintReply {
    let settings = Dictionary(uniqueKeysWithValues: printSettings.map { ($0.key.rawValue, PropertyValue($0.value)) })
    let request = PrintRequest(
      fileNames.map { URL(fileURLWithPath: $0) }, settings: settings, showsPanels: showPrintPanels)
    let answer = bridge.ask(.printFiles, request, otherwise: false) { isPrinted in
      application.reply(toOpenOrPrint: isPrinted ? .success : .failure)
    }
    guard let answer else { return .printingReplyLater }
    return answer ? .printingSuccess : .printingFailure
  }

  // MARK: - Notifications

  open func application(
    _ application: NSApplication, didRegisterForRemoteNotificationsWithDeviceToken deviceToken: Data
  ) {
    bridge.tell(.didRegisterForRemoteNotifications, deviceToken)
  }

  open func application(
    _ application: NSApplication, didFailToRegisterForRemoteNotificationsWithError error: any Error
  ) {
    bridge.tell(.didFailToRegisterForRemoteNotifications, error)
  }

  open func application(_ application: NSApplication, didReceiveRemoteNotification userInfo: [String: Any]) {
    bridge.tell(.didReceiveRemoteNotification, PropertyValue.dictionary(userInfo))
  }

  // MARK: - Activities

  open func application(_ application: NSApplication, willContinueUserActivityWithType userActivityType: String) -> Bool
  {
    bridge.ask(.willContinueUserActivity, userActivityType, undecided: false)
  }

  open func application(
    _ application: NSApplication, continue userActivity: NSUserActivity,
    restorationHandler: @escaping ([any NSUserActivityRestoring]) -> Void
  ) -> Bool {
    bridge.ask(.continueUserActivity, UserActivity(userActivity), undecided: true)
  }

  open func application(
    _ application: NSApplication, didFailToContinueUserActivityWithType userActivityType: String, error: any Error
  ) {
    bridge.tell(.didFailToContinueUserActivity, UserActivityFailure(type: userActivityType, error: error))
  }

  open func application(_ application: NSApplication, didUpdate userActivity: NSUserActivity) {
    bridge.tell(.didUpdateUserActivity, UserActivity(userActivity))
  }

  open func application(_ application: NSApplication, userDidAcceptCloudKitShareWith metadata: CKShare.Metadata) {
    bridge.tell(.userDidAcceptCloudKitShare, CloudKitShareInvitation(metadata))
  }
}

// MARK: - AppKit's values as those of the events

extension LaunchOptions {
  @MainActor
  init(_ notification: Notification) {
    self.init()
    self[SystemValues.self] = notification.userInfo.map { PropertyValue.dictionary($0) }
    let isDefault = notification.userInfo?[NSApplication.launchIsDefaultUserInfoKey] as? Bool
    if notification.userInfo?[NSApplication.launchUserNotificationUserInfoKey] != nil {
      reason = .notification
    } else if isDefault == false {
      // To open or print a file, for a service, or to bring back what was there: AppKit has one word for all of them.
      reason = .other
    }
  }
}

extension UserActivity {
  init(_ activity: NSUserActivity) {
    self.init(
      type: activity.activityType, title: activity.title, webpageURL: activity.webpageURL,
      referrerURL: activity.referrerURL, targetContentIdentifier: activity.targetContentIdentifier,
      userInfo: PropertyValue.dictionary(activity.userInfo ?? [:]))
  }
}
#endif
