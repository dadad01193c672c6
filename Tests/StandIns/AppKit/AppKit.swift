public import Foundation

// Stands in for AppKit where there is none: names, types and isolation as Apple publishes them: of the delegate every
// callback, of the rest what it and the adapter need.

@MainActor open class NSApplication: NSObject {
  public enum TerminateReply: UInt, Sendable { case terminateCancel, terminateNow, terminateLater }
  public enum PrintReply: UInt, Sendable {
    case printingCancelled, printingSuccess, printingFailure, printingReplyLater
  }
  public enum DelegateReply: UInt, Sendable { case success, cancel, failure }

  public struct OcclusionState: OptionSet, Sendable {
    public let rawValue: UInt
    public init(rawValue: UInt) { self.rawValue = rawValue }
    public static let visible = OcclusionState(rawValue: 2)
  }

  public class var launchIsDefaultUserInfoKey: String { "NSApplicationLaunchIsDefaultLaunchKey" }
  public class var launchUserNotificationUserInfoKey: String { "NSApplicationLaunchUserNotificationKey" }

  open var occlusionState: OcclusionState = []

  /// What was replied after a callback had returned.
  public private(set) var replies: [String] = []
  public var onReply: (() -> Void)?

  public override init() {}

  open func reply(toApplicationShouldTerminate shouldTerminate: Bool) {
    replies.append("terminate \(shouldTerminate)")
    onReply?()
  }

  open func reply(toOpenOrPrint reply: DelegateReply) {
    replies.append("print \(reply)")
    onReply?()
  }
}

public enum NSPrintInfo {
  public struct AttributeKey: RawRepresentable, Hashable, Sendable {
    public let rawValue: String
    public init(rawValue: String) { self.rawValue = rawValue }
  }
}

@MainActor open class NSMenu: NSObject {}

public protocol NSUserActivityRestoring: NSObjectProtocol {}

// In Objective-C every one of these is optional; here the ones that the adapter leaves to subclasses are.
@MainActor public protocol NSApplicationDelegate: NSObjectProtocol {
  func applicationShouldTerminate(_ sender: NSApplication) -> NSApplication.TerminateReply
  func application(_ application: NSApplication, open urls: [URL])
  func application(_ sender: NSApplication, openFile filename: String) -> Bool
  func application(_ sender: NSApplication, openFiles filenames: [String])
  func application(_ sender: NSApplication, openTempFile filename: String) -> Bool
  func applicationShouldOpenUntitledFile(_ sender: NSApplication) -> Bool
  func applicationOpenUntitledFile(_ sender: NSApplication) -> Bool
  func application(_ sender: Any, openFileWithoutUI filename: String) -> Bool
  func application(_ sender: NSApplication, printFile filename: String) -> Bool
  func application(
    _ application: NSApplication, printFiles fileNames: [String],
    withSettings printSettings: [NSPrintInfo.AttributeKey: Any], showPrintPanels: Bool
  ) -> NSApplication.PrintReply
  func applicationShouldTerminateAfterLastWindowClosed(_ sender: NSApplication) -> Bool
  func applicationShouldHandleReopen(_ sender: NSApplication, hasVisibleWindows flag: Bool) -> Bool
  func applicationDockMenu(_ sender: NSApplication) -> NSMenu?
  func application(_ application: NSApplication, willPresentError error: any Error) -> any Error
  func application(_ application: NSApplication, didRegisterForRemoteNotificationsWithDeviceToken deviceToken: Data)
  func application(_ application: NSApplication, didFailToRegisterForRemoteNotificationsWithError error: any Error)
  func application(_ application: NSApplication, didReceiveRemoteNotification userInfo: [String: Any])
  func applicationSupportsSecureRestorableState(_ app: NSApplication) -> Bool
  func application(_ application: NSApplication, handlerFor intent: INIntent) -> Any?
  func application(_ app: NSApplication, willEncodeRestorableState coder: NSCoder)
  func application(_ app: NSApplication, didDecodeRestorableState coder: NSCoder)
  func application(_ application: NSApplication, willContinueUserActivityWithType userActivityType: String) -> Bool
  func application(
    _ application: NSApplication, continue userActivity: NSUserActivity,
    restorationHandler: @escaping ([any NSUserActivityRestoring]) -> Void
  ) -> Bool
  func application(
    _ application: NSApplication, didFailToContinueUserActivityWithType userActivityType: String, error: any Error)
  func application(_ application: NSApplication, didUpdate userActivity: NSUserActivity)
  func application(_ application: NSApplication, userDidAcceptCloudKitShareWith metadata: CKShare.Metadata)
  func application(_ sender: NSApplication, delegateHandlesKey key: String) -> Bool
  func applicationShouldAutomaticallyLocalizeKeyEquivalents(_ application: NSApplication) -> Bool
  func applicationProtectedDataWillBecomeUnavailable(_ notification: Notification)
  func applicationProtectedDataDidBecomeAvailable(_ notification: Notification)
  func applicationWillFinishLaunching(_ notification: Notification)
  func applicationDidFinishLaunching(_ notification: Notification)
  func applicationWillHide(_ notification: Notification)
  func applicationDidHide(_ notification: Notification)
  func applicationWillUnhide(_ notification: Notification)
  func applicationDidUnhide(_ notification: Notification)
  func applicationWillBecomeActive(_ notification: Notification)
  func applicationDidBecomeActive(_ notification: Notification)
  func applicationWillResignActive(_ notification: Notification)
  func applicationDidResignActive(_ notification: Notification)
  func applicationWillUpdate(_ notification: Notification)
  func applicationDidUpdate(_ notification: Notification)
  func applicationWillTerminate(_ notification: Notification)
  func applicationDidChangeScreenParameters(_ notification: Notification)
  func applicationDidChangeOcclusionState(_ notification: Notification)
}

// What the adapter leaves to subclasses, or hears of in a newer form.
extension NSApplicationDelegate {
  public func application(_ sender: NSApplication, openFile filename: String) -> Bool { false }
  public func application(_ sender: NSApplication, openFiles filenames: [String]) {}
  public func application(_ sender: NSApplication, openTempFile filename: String) -> Bool { false }
  public func application(_ sender: Any, openFileWithoutUI filename: String) -> Bool { false }
  public func application(_ sender: NSApplication, printFile filename: String) -> Bool { false }
  public func applicationDockMenu(_ sender: NSApplication) -> NSMenu? { nil }
  public func application(_ application: NSApplication, handlerFor intent: INIntent) -> Any? { nil }
  public func application(_ app: NSApplication, willEncodeRestorableState coder: NSCoder) {}
  public func application(_ app: NSApplication, didDecodeRestorableState coder: NSCoder) {}
  public func application(_ sender: NSApplication, delegateHandlesKey key: String) -> Bool { false }
}
