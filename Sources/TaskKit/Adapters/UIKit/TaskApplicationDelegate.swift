#if TASKKIT_STAND_INS || (canImport(UIKit) && !os(watchOS))
public import Foundation
#if TASKKIT_STAND_INS
public import TaskKit
#else
public import CloudKit
public import UIKit
#endif

/// An app delegate that sends everything it hears to a center.
///
/// ```swift
/// @main final class AppDelegate: TaskApplicationDelegate {
///   override class var center: TaskCenter { .app }
/// }
/// ```
///
/// With SwiftUI: `@UIApplicationDelegateAdaptor(AppDelegate.self) private var delegate`.
///
/// It answers that it responds only to callbacks for which the center has a task at that moment (Ew4), and to those that
/// a subclass overrides. UIKit asks when it gets the delegate: tasks for further callbacks have to be there by then, a
/// pause is harmless. A subclass that overrides a callback calls `super`, or the center does not hear of it.
///
/// It does not call ``TaskCenter/start()``: an app with schedules, notifications, sequences or jobs calls it itself, or none
/// of them ever runs.
///
/// Callbacks with a completion handler get exactly one answer: the tasks' merged reply, at ``deadlines`` at the latest.
/// Callbacks that return an answer wait for no asynchronous task. What of the two steps to the background is still at work
/// when the app, or a scene, has gone there has the time of `beginBackgroundTask`, about half a minute, and is cancelled at
/// its end. What concerns objects of UIKit alone (configurations, view controllers, coders) is left to the subclass.
@MainActor
open class TaskApplicationDelegate: UIResponder, UIApplicationDelegate {
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
    let isAnswered = UIKitCallbacks.application.isAnswered(NSStringFromSelector(selector), in: Self.center) ?? true
    return isAnswered
      || Self.instanceMethod(for: selector) != TaskApplicationDelegate.instanceMethod(for: selector)
  }

  // MARK: - Launch and end

  open func application(
    _ application: UIApplication,
    willFinishLaunchingWithOptions launchOptions: [UIApplication.LaunchOptionsKey: Any]? = nil
  ) -> Bool {
    subscriptions = NotificationSubscriptions(
      [
        (UIApplication.backgroundRefreshStatusDidChangeNotification, .backgroundRefreshStatusDidChange),
        (UIApplication.userDidTakeScreenshotNotification, .userDidTakeScreenshot),
      ], from: .default, to: Self.center)
    BackgroundTimeSource(application).serve(Self.center)
    bridge.tell(.willFinishLaunching, LaunchOptions(application, launchOptions))
    return true
  }

  open func application(
    _ application: UIApplication,
    didFinishLaunchingWithOptions launchOptions: [UIApplication.LaunchOptionsKey: Any]? = nil
  ) -> Bool {
    bridge.tell(.didFinishLaunching, LaunchOptions(application, launchOptions))
    return true
  }

  open func applicationWillTerminate(_ application: UIApplication) { bridge.end() }

  // MARK: - Activity

  open func applicationDidBecomeActive(_ application: UIApplication) { bridge.tell(.didBecomeActive) }

  open func applicationWillResignActive(_ application: UIApplication) {
    // The background may be the next that comes, and what this begins still at work then.
    bridge.tell(.willResignActive, (), leavesForeground: true)
  }

  open func applicationDidEnterBackground(_ application: UIApplication) {
    bridge.tell(.didEnterBackground, (), leavesForeground: true)
  }

  open func applicationWillEnterForeground(_ application: UIApplication) { bridge.tell(.willEnterForeground) }

  open func applicationDidReceiveMemoryWarning(_ application: UIApplication) { bridge.tell(.didReceiveMemoryWarning) }

  open func applicationSignificantTimeChange(_ application: UIApplication) { bridge.tell(.significantTimeChange) }

  open func applicationProtectedDataWillBecomeUnavailable(_ application: UIApplication) {
    bridge.tell(.protectedDataWillBecomeUnavailable)
  }

  open func applicationProtectedDataDidBecomeAvailable(_ application: UIApplication) {
    bridge.tell(.protectedDataDidBecomeAvailable)
  }

  open func application(_ application: UIApplication, didDiscardSceneSessions sceneSessions: Set<UISceneSession>) {
    bridge.tell(.didDiscardScenes, sceneSessions.map { SceneIdentifier($0.persistentIdentifier) }.sorted())
  }

  open func application(
    _ application: UIApplication,
    shouldAllowExtensionPointIdentifier extensionPointIdentifier: UIApplication.ExtensionPointIdentifier
  ) -> Bool {
    bridge.ask(.shouldAllowExtensionPoint, extensionPointIdentifier.rawValue, undecided: true)
  }

  open func applicationShouldAutomaticallyLocalizeKeyCommands(_ application: UIApplication) -> Bool {
    bridge.ask(.shouldLocalizeKeyCommands, (), undecided: true)
  }

  // What is written into the coder and read from it is the subclass's.

  open func application(_ application: UIApplication, shouldSaveSecureApplicationState coder: NSCoder) -> Bool {
    bridge.ask(.shouldSaveState, (), undecided: false)
  }

  open func application(_ application: UIApplication, shouldRestoreSecureApplicationState coder: NSCoder) -> Bool {
    bridge.ask(.shouldRestoreState, (), undecided: false)
  }

  // MARK: - URLs and activities

  open func application(
    _ app: UIApplication, open url: URL, options: [UIApplication.OpenURLOptionsKey: Any] = [:]
  ) -> Bool {
    let request = OpenURLRequest(
      url, sourceApplication: options[.sourceApplication] as? String,
      opensInPlace: options[.openInPlace] as? Bool ?? false)
    // Whoever is still at it has taken it.
    return bridge.ask(.openURL, request, undecided: true)
  }

  open func application(_ application: UIApplication, willContinueUserActivityWithType userActivityType: String) -> Bool
  {
    bridge.ask(.willContinueUserActivity, userActivityType, undecided: false)
  }

  open func application(
    _ application: UIApplication, continue userActivity: NSUserActivity,
    restorationHandler: @escaping ([any UIUserActivityRestoring]?) -> Void
  ) -> Bool {
    bridge.ask(.continueUserActivity, UserActivity(userActivity), undecided: true)
  }

  open func application(
    _ application: UIApplication, didFailToContinueUserActivityWithType userActivityType: String, error: any Error
  ) {
    bridge.tell(.didFailToContinueUserActivity, UserActivityFailure(type: userActivityType, error: error))
  }

  open func application(_ application: UIApplication, didUpdate userActivity: NSUserActivity) {
    bridge.tell(.didUpdateUserActivity, UserActivity(userActivity))
  }

  open func application(
    _ application: UIApplication, userDidAcceptCloudKitShareWith cloudKitShareMetadata: CKShare.Metadata
  ) {
    bridge.tell(.userDidAcceptCloudKitShare, CloudKitShareInvitation(cloudKitShareMetadata))
  }

  // MARK: - Notifications and work in the background

  open func application(
    _ application: UIApplication, didRegisterForRemoteNotificationsWithDeviceToken deviceToken: Data
  ) {
    bridge.tell(.didRegisterForRemoteNotifications, deviceToken)
  }

  open func application(
    _ application: UIApplication, didFailToRegisterForRemoteNotificationsWithError error: any Error
  ) {
    bridge.tell(.didFailToRegisterForRemoteNotifications, error)
  }

  open func application(
    _ application: UIApplication, didReceiveRemoteNotification userInfo: [AnyHashable: Any],
    fetchCompletionHandler completionHandler: @escaping (UIBackgroundFetchResult) -> Void
  ) {
    bridge.answer(.didReceiveRemoteNotification, PropertyValue.dictionary(userInfo), otherwise: .noData) { result in
      completionHandler(UIBackgroundFetchResult(result))
    }
  }

  open func application(
    _ application: UIApplication, handleEventsForBackgroundURLSession identifier: String,
    completionHandler: @escaping () -> Void
  ) {
    bridge.answer(.handleBackgroundURLSession, identifier, completionHandler)
  }

  #if !os(tvOS)
  open func application(
    _ application: UIApplication, performActionFor shortcutItem: UIApplicationShortcutItem,
    completionHandler: @escaping (Bool) -> Void
  ) {
    bridge.answer(.performShortcut, ShortcutItem(shortcutItem), otherwise: false, completionHandler)
  }
  #endif

  #if TASKKIT_STAND_INS || os(iOS)
  open func application(
    _ application: UIApplication, supportedInterfaceOrientationsFor window: UIWindow?
  ) -> UIInterfaceOrientationMask {
    bridge.supportedOrientations(of: window?.windowScene)
  }

  open func applicationShouldRequestHealthAuthorization(_ application: UIApplication) {
    bridge.tell(.shouldRequestHealthAuthorization)
  }

  open func application(
    _ application: UIApplication, handleWatchKitExtensionRequest userInfo: [AnyHashable: Any]?,
    reply: @escaping ([AnyHashable: Any]?) -> Void
  ) {
    bridge.answer(.handleWatchRequest, PropertyValue.dictionary(userInfo ?? [:]), otherwise: [:]) { answer in
      let info: [AnyHashable: Any] = answer.compactMapValues(\.plainValue)
      reply(info.isEmpty ? nil : info)
    }
  }
  #endif

  // MARK: - What the system calls for old forms only

  #if TASKKIT_STAND_INS || os(iOS) || os(tvOS)
  @available(iOS, deprecated: 13.0)
  @available(tvOS, deprecated: 13.0)
  open func application(
    _ application: UIApplication,
    performFetchWithCompletionHandler completionHandler: @escaping (UIBackgroundFetchResult) -> Void
  ) {
    bridge.answer(.performBackgroundFetch, (), otherwise: .noData) { completionHandler(UIBackgroundFetchResult($0)) }
  }
  #endif

  #if TASKKIT_STAND_INS || os(iOS)
  @available(iOS, deprecated: 13.0)
  open func application(
    _ application: UIApplication, willChangeStatusBarOrientation newStatusBarOrientation: UIInterfaceOrientation,
    duration: TimeInterval
  ) {
    bridge.tell(
      .willChangeStatusBarOrientation,
      InterfaceTurn(to: InterfaceOrientation(newStatusBarOrientation), duration: .seconds(duration)))
  }

  @available(iOS, deprecated: 13.0)
  open func application(
    _ application: UIApplication, didChangeStatusBarOrientation oldStatusBarOrientation: UIInterfaceOrientation
  ) {
    bridge.tell(.didChangeStatusBarOrientation, InterfaceOrientation(oldStatusBarOrientation))
  }

  @available(iOS, deprecated: 13.0)
  open func application(_ application: UIApplication, willChangeStatusBarFrame newStatusBarFrame: CGRect) {
    bridge.tell(.willChangeStatusBarFrame, newStatusBarFrame)
  }

  @available(iOS, deprecated: 13.0)
  open func application(_ application: UIApplication, didChangeStatusBarFrame oldStatusBarFrame: CGRect) {
    bridge.tell(.didChangeStatusBarFrame, oldStatusBarFrame)
  }

  @available(iOS, deprecated: 10.0)
  open func application(_ application: UIApplication, didRegister notificationSettings: UIUserNotificationSettings) {
    var kinds: NotificationKinds = []
    if notificationSettings.types.contains(.badge) { kinds.insert(.badge) }
    if notificationSettings.types.contains(.sound) { kinds.insert(.sound) }
    if notificationSettings.types.contains(.alert) { kinds.insert(.alert) }
    bridge.tell(.didRegisterNotificationSettings, kinds)
  }

  @available(iOS, deprecated: 10.0)
  open func application(_ application: UIApplication, didReceive notification: UILocalNotification) {
    bridge.tell(
      .didReceiveLocalNotification,
      SystemNotification(
        title: notification.alertTitle ?? "", body: notification.alertBody ?? "",
        // Of this kind, zero leaves the icon as it is.
        badge: notification.applicationIconBadgeNumber == 0 ? nil : notification.applicationIconBadgeNumber,
        category: notification.category ?? "", date: notification.fireDate,
        userInfo: PropertyValue.dictionary(notification.userInfo ?? [:])))
  }
  #endif
}
#endif
