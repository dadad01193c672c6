public import Foundation

// Stands in for UIKit where there is none: names, types and isolation as Apple publishes them: of the delegates every callback,
// of the rest what they and the adapter need.

@MainActor open class UIResponder: NSObject {
  public override init() {}
}

@MainActor open class UIApplication: UIResponder {
  public struct LaunchOptionsKey: RawRepresentable, Hashable, Sendable {
    public let rawValue: String
    public init(rawValue: String) { self.rawValue = rawValue }
    public static let url = LaunchOptionsKey(rawValue: "UIApplicationLaunchOptionsURLKey")
    public static let remoteNotification = LaunchOptionsKey(rawValue: "UIApplicationLaunchOptionsRemoteNotificationKey")
    public static let sourceApplication = LaunchOptionsKey(
      rawValue: "UIApplicationLaunchOptionsSourceApplicationKey")
    public static let shortcutItem = LaunchOptionsKey(rawValue: "UIApplicationLaunchOptionsShortcutItemKey")
  }

  public struct OpenURLOptionsKey: RawRepresentable, Hashable, Sendable {
    public let rawValue: String
    public init(rawValue: String) { self.rawValue = rawValue }
    public static let sourceApplication = OpenURLOptionsKey(rawValue: "UIApplicationOpenURLOptionsSourceApplicationKey")
    public static let openInPlace = OpenURLOptionsKey(rawValue: "UIApplicationOpenURLOptionsOpenInPlaceKey")
  }

  public struct ExtensionPointIdentifier: RawRepresentable, Hashable, Sendable {
    public let rawValue: String
    public init(rawValue: String) { self.rawValue = rawValue }
    public static let keyboard = ExtensionPointIdentifier(rawValue: "com.apple.keyboard-service")
  }

  public enum State: Int, Sendable { case active, inactive, background }

  open var applicationState = State.inactive

  nonisolated public class var userDidTakeScreenshotNotification: NSNotification.Name {
    NSNotification.Name("UIApplicationUserDidTakeScreenshotNotification")
  }

  nonisolated public class var backgroundRefreshStatusDidChangeNotification: NSNotification.Name {
    NSNotification.Name("UIApplicationBackgroundRefreshStatusDidChangeNotification")
  }

  nonisolated private let backgroundTasks = BackgroundTasks()
  nonisolated private let continuation: AsyncStream<String>.Continuation
  /// The names of the background tasks that have ended.
  nonisolated public let ended: AsyncStream<String>

  public override init() {
    (ended, continuation) = AsyncStream.makeStream()
    super.init()
  }

  nonisolated open func beginBackgroundTask(
    withName taskName: String?, expirationHandler handler: (@MainActor @Sendable () -> Void)? = nil
  ) -> UIBackgroundTaskIdentifier {
    backgroundTasks.withState { tasks in
      guard tasks.givesTime else { return .invalid }
      tasks.last += 1
      let identifier = UIBackgroundTaskIdentifier(rawValue: tasks.last)
      tasks.open[identifier] = (taskName ?? "", handler)
      return identifier
    }
  }

  nonisolated open func endBackgroundTask(_ identifier: UIBackgroundTaskIdentifier) {
    let task = backgroundTasks.withState { $0.open.removeValue(forKey: identifier) }
    guard let task else { preconditionFailure("a background task is ended once") }
    continuation.yield(task.name)
  }

  /// Whether the system gives time.
  nonisolated public func setGivesTime(_ givesTime: Bool) { backgroundTasks.withState { $0.givesTime = givesTime } }

  /// How many background tasks have begun.
  nonisolated public var begunCount: Int { backgroundTasks.withState { $0.last } }

  /// The names of the background tasks that have not ended.
  nonisolated public var openNames: [String] { backgroundTasks.withState { $0.open.values.map(\.name).sorted() } }

  /// What the system does when the time is over.
  public func expire() { for handler in backgroundTasks.withState({ $0.open.values.map(\.handler) }) { handler?() } }
}

public struct UIBackgroundTaskIdentifier: RawRepresentable, Hashable, Sendable {
  public let rawValue: Int
  public init(rawValue: Int) { self.rawValue = rawValue }
  public static let invalid = UIBackgroundTaskIdentifier(rawValue: 0)
}

// What it holds is only used under its lock.
private final class BackgroundTasks: @unchecked Sendable {
  struct State {
    var givesTime = true
    var last = 0
    var open: [UIBackgroundTaskIdentifier: (name: String, handler: (@MainActor @Sendable () -> Void)?)] = [:]
  }

  private let lock = NSLock()
  private var state = State()

  func withState<Result>(_ body: (inout State) -> Result) -> Result { lock.withLock { body(&state) } }
}

public enum UIBackgroundFetchResult: UInt, Sendable { case newData, noData, failed }

public enum UIInterfaceOrientation: Int, Sendable {
  case unknown, portrait, portraitUpsideDown, landscapeRight, landscapeLeft
}

public struct UIInterfaceOrientationMask: OptionSet, Sendable {
  public let rawValue: UInt
  public init(rawValue: UInt) { self.rawValue = rawValue }
  public static let portrait = UIInterfaceOrientationMask(rawValue: 2)
  public static let portraitUpsideDown = UIInterfaceOrientationMask(rawValue: 4)
  public static let landscapeRight = UIInterfaceOrientationMask(rawValue: 8)
  public static let landscapeLeft = UIInterfaceOrientationMask(rawValue: 16)
  public static let all = UIInterfaceOrientationMask(rawValue: 30)
}

@MainActor open class UIApplicationShortcutItem: NSObject {
  public let type: String
  public let localizedTitle: String
  public let localizedSubtitle: String?
  public let userInfo: [String: any NSSecureCoding]?

  public init(
    type: String, localizedTitle: String, localizedSubtitle: String? = nil, userInfo: [String: any NSSecureCoding]?
  ) {
    self.type = type
    self.localizedTitle = localizedTitle
    self.localizedSubtitle = localizedSubtitle
    self.userInfo = userInfo
  }
}

public struct UIUserNotificationType: OptionSet, Sendable {
  public let rawValue: UInt
  public init(rawValue: UInt) { self.rawValue = rawValue }
  public static let badge = UIUserNotificationType(rawValue: 1)
  public static let sound = UIUserNotificationType(rawValue: 2)
  public static let alert = UIUserNotificationType(rawValue: 4)
}

open class UIUserNotificationSettings: NSObject {
  public let types: UIUserNotificationType
  public init(types: UIUserNotificationType) { self.types = types }
}

open class UILocalNotification: NSObject {
  open var alertTitle: String?
  open var alertBody: String?
  open var applicationIconBadgeNumber = 0
  open var category: String?
  open var fireDate: Date?
  open var userInfo: [AnyHashable: Any]?
}

public protocol UIUserActivityRestoring: NSObjectProtocol {}

// In Objective-C every one of these is optional; here the ones that the adapter leaves to subclasses are.
@MainActor public protocol UIApplicationDelegate: NSObjectProtocol {
  var window: UIWindow? { get set }
  func applicationDidFinishLaunching(_ application: UIApplication)
  func application(
    _ application: UIApplication, willFinishLaunchingWithOptions launchOptions: [UIApplication.LaunchOptionsKey: Any]?
  ) -> Bool
  func application(
    _ application: UIApplication, didFinishLaunchingWithOptions launchOptions: [UIApplication.LaunchOptionsKey: Any]?
  ) -> Bool
  func applicationDidBecomeActive(_ application: UIApplication)
  func applicationWillResignActive(_ application: UIApplication)
  func application(_ application: UIApplication, handleOpen url: URL) -> Bool
  func application(_ application: UIApplication, open url: URL, sourceApplication: String?, annotation: Any) -> Bool
  func application(_ app: UIApplication, open url: URL, options: [UIApplication.OpenURLOptionsKey: Any]) -> Bool
  func applicationDidReceiveMemoryWarning(_ application: UIApplication)
  func applicationWillTerminate(_ application: UIApplication)
  func applicationSignificantTimeChange(_ application: UIApplication)
  func application(
    _ application: UIApplication, willChangeStatusBarOrientation newStatusBarOrientation: UIInterfaceOrientation,
    duration: TimeInterval)
  func application(
    _ application: UIApplication, didChangeStatusBarOrientation oldStatusBarOrientation: UIInterfaceOrientation)
  func application(_ application: UIApplication, willChangeStatusBarFrame newStatusBarFrame: CGRect)
  func application(_ application: UIApplication, didChangeStatusBarFrame oldStatusBarFrame: CGRect)
  func application(_ application: UIApplication, didRegister notificationSettings: UIUserNotificationSettings)
  func application(_ application: UIApplication, didRegisterForRemoteNotificationsWithDeviceToken deviceToken: Data)
  func application(_ application: UIApplication, didFailToRegisterForRemoteNotificationsWithError error: any Error)
  func application(_ application: UIApplication, didReceiveRemoteNotification userInfo: [AnyHashable: Any])
  func application(_ application: UIApplication, didReceive notification: UILocalNotification)
  func application(
    _ application: UIApplication, handleActionWithIdentifier identifier: String?, for notification: UILocalNotification,
    completionHandler: @escaping () -> Void)
  func application(
    _ application: UIApplication, handleActionWithIdentifier identifier: String?,
    forRemoteNotification userInfo: [AnyHashable: Any], withResponseInfo responseInfo: [AnyHashable: Any],
    completionHandler: @escaping () -> Void)
  func application(
    _ application: UIApplication, handleActionWithIdentifier identifier: String?,
    forRemoteNotification userInfo: [AnyHashable: Any], completionHandler: @escaping () -> Void)
  func application(
    _ application: UIApplication, handleActionWithIdentifier identifier: String?, for notification: UILocalNotification,
    withResponseInfo responseInfo: [AnyHashable: Any], completionHandler: @escaping () -> Void)
  func application(
    _ application: UIApplication, didReceiveRemoteNotification userInfo: [AnyHashable: Any],
    fetchCompletionHandler completionHandler: @escaping (UIBackgroundFetchResult) -> Void)
  func application(
    _ application: UIApplication,
    performFetchWithCompletionHandler completionHandler: @escaping (UIBackgroundFetchResult) -> Void)
  func application(
    _ application: UIApplication, performActionFor shortcutItem: UIApplicationShortcutItem,
    completionHandler: @escaping (Bool) -> Void)
  func application(
    _ application: UIApplication, handleEventsForBackgroundURLSession identifier: String,
    completionHandler: @escaping () -> Void)
  func application(
    _ application: UIApplication, handleWatchKitExtensionRequest userInfo: [AnyHashable: Any]?,
    reply: @escaping ([AnyHashable: Any]?) -> Void)
  func applicationShouldRequestHealthAuthorization(_ application: UIApplication)
  func application(_ application: UIApplication, handlerFor intent: INIntent) -> Any?
  func application(
    _ application: UIApplication, handle intent: INIntent, completionHandler: @escaping (INIntentResponse) -> Void)
  func applicationDidEnterBackground(_ application: UIApplication)
  func applicationWillEnterForeground(_ application: UIApplication)
  func applicationProtectedDataWillBecomeUnavailable(_ application: UIApplication)
  func applicationProtectedDataDidBecomeAvailable(_ application: UIApplication)
  func application(
    _ application: UIApplication, supportedInterfaceOrientationsFor window: UIWindow?
  ) -> UIInterfaceOrientationMask
  func application(
    _ application: UIApplication,
    shouldAllowExtensionPointIdentifier extensionPointIdentifier: UIApplication.ExtensionPointIdentifier
  ) -> Bool
  func application(
    _ application: UIApplication, viewControllerWithRestorationIdentifierPath identifierComponents: [String],
    coder: NSCoder
  ) -> UIViewController?
  func application(_ application: UIApplication, shouldSaveSecureApplicationState coder: NSCoder) -> Bool
  func application(_ application: UIApplication, shouldRestoreSecureApplicationState coder: NSCoder) -> Bool
  func application(_ application: UIApplication, willEncodeRestorableStateWith coder: NSCoder)
  func application(_ application: UIApplication, didDecodeRestorableStateWith coder: NSCoder)
  func application(_ application: UIApplication, shouldSaveApplicationState coder: NSCoder) -> Bool
  func application(_ application: UIApplication, shouldRestoreApplicationState coder: NSCoder) -> Bool
  func application(_ application: UIApplication, willContinueUserActivityWithType userActivityType: String) -> Bool
  func application(
    _ application: UIApplication, continue userActivity: NSUserActivity,
    restorationHandler: @escaping ([any UIUserActivityRestoring]?) -> Void
  ) -> Bool
  func application(
    _ application: UIApplication, didFailToContinueUserActivityWithType userActivityType: String, error: any Error)
  func application(_ application: UIApplication, didUpdate userActivity: NSUserActivity)
  func application(_ application: UIApplication, userDidAcceptCloudKitShareWith cloudKitShareMetadata: CKShare.Metadata)
  func application(
    _ application: UIApplication, configurationForConnecting connectingSceneSession: UISceneSession,
    options: UIScene.ConnectionOptions
  ) -> UISceneConfiguration
  func application(_ application: UIApplication, didDiscardSceneSessions sceneSessions: Set<UISceneSession>)
  func applicationShouldAutomaticallyLocalizeKeyCommands(_ application: UIApplication) -> Bool
}

// What the adapter leaves to subclasses, or hears of in a newer form.
extension UIApplicationDelegate {
  public var window: UIWindow? {
    get { nil }
    set {}
  }
  public func applicationDidFinishLaunching(_ application: UIApplication) {}
  public func application(_ application: UIApplication, handleOpen url: URL) -> Bool { false }
  public func application(
    _ application: UIApplication, open url: URL, sourceApplication: String?, annotation: Any
  ) -> Bool { false }
  public func application(_ application: UIApplication, didReceiveRemoteNotification userInfo: [AnyHashable: Any]) {}
  public func application(
    _ application: UIApplication, handleActionWithIdentifier identifier: String?, for notification: UILocalNotification,
    completionHandler: @escaping () -> Void
  ) {}
  public func application(
    _ application: UIApplication, handleActionWithIdentifier identifier: String?,
    forRemoteNotification userInfo: [AnyHashable: Any], withResponseInfo responseInfo: [AnyHashable: Any],
    completionHandler: @escaping () -> Void
  ) {}
  public func application(
    _ application: UIApplication, handleActionWithIdentifier identifier: String?,
    forRemoteNotification userInfo: [AnyHashable: Any], completionHandler: @escaping () -> Void
  ) {}
  public func application(
    _ application: UIApplication, handleActionWithIdentifier identifier: String?, for notification: UILocalNotification,
    withResponseInfo responseInfo: [AnyHashable: Any], completionHandler: @escaping () -> Void
  ) {}
  public func application(_ application: UIApplication, handlerFor intent: INIntent) -> Any? { nil }
  public func application(
    _ application: UIApplication, handle intent: INIntent, completionHandler: @escaping (INIntentResponse) -> Void
  ) {}
  public func application(
    _ application: UIApplication, viewControllerWithRestorationIdentifierPath identifierComponents: [String],
    coder: NSCoder
  ) -> UIViewController? { nil }
  public func application(_ application: UIApplication, willEncodeRestorableStateWith coder: NSCoder) {}
  public func application(_ application: UIApplication, didDecodeRestorableStateWith coder: NSCoder) {}
  public func application(_ application: UIApplication, shouldSaveApplicationState coder: NSCoder) -> Bool { false }
  public func application(_ application: UIApplication, shouldRestoreApplicationState coder: NSCoder) -> Bool { false }
  public func application(
    _ application: UIApplication, configurationForConnecting connectingSceneSession: UISceneSession,
    options: UIScene.ConnectionOptions
  ) -> UISceneConfiguration { UISceneConfiguration(name: nil, sessionRole: connectingSceneSession.role) }
}
