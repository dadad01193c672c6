#if !canImport(Darwin)
import Foundation
import StandInAppKit
import TaskKit
import TaskKitTesting
import Testing

private typealias Case = DelegateCase<AppDelegate>

private final class AppDelegate: TaskApplicationDelegate {
  override class var center: TaskCenter { TestCenter.current ?? TaskCenter() }
}

private final class OverridingDelegate: TaskApplicationDelegate {
  override class var center: TaskCenter { TestCenter.current ?? TaskCenter() }
  override class var overriddenSelectors: Set<Selector> { ["applicationDidHide:"] }
}

@MainActor private let application = NSApplication()
@MainActor private let notification = Notification(name: Notification.Name("any"))
@MainActor private func activity() -> StandInAppKit.NSUserActivity {
  StandInAppKit.NSUserActivity(activityType: "read")
}
private let activityText =
  #"UserActivity(type: "read", title: nil, webpageURL: nil, referrerURL: nil, targetContentIdentifier: nil, userInfo: [:])"#

/// `NSApplicationDelegate`, callback by callback: payload, reply and what is subscribed. Compiled and run with stand-ins
/// that follow Apple's published signatures.
@MainActor
@Suite struct AppKitApplicationTests {
  nonisolated private static let cases: [Case] = [
    Case("applicationWillTerminate:", .willTerminate) { $0.applicationWillTerminate(notification) },
    Case("applicationWillBecomeActive:", .willBecomeActive) { $0.applicationWillBecomeActive(notification) },
    Case("applicationDidBecomeActive:", .didBecomeActive) { $0.applicationDidBecomeActive(notification) },
    Case("applicationWillResignActive:", .willResignActive) { $0.applicationWillResignActive(notification) },
    Case("applicationDidResignActive:", .didResignActive) { $0.applicationDidResignActive(notification) },
    Case("applicationWillHide:", .willHide) { $0.applicationWillHide(notification) },
    Case("applicationDidHide:", .didEnterBackground) { $0.applicationDidHide(notification) },
    Case("applicationWillUnhide:", .willEnterForeground) { $0.applicationWillUnhide(notification) },
    Case("applicationDidUnhide:", .didUnhide) { $0.applicationDidUnhide(notification) },
    Case("applicationWillUpdate:", .willUpdateWindows) { $0.applicationWillUpdate(notification) },
    Case("applicationDidUpdate:", .didUpdateWindows) { $0.applicationDidUpdate(notification) },
    Case("applicationDidChangeScreenParameters:", .screenParametersDidChange) {
      $0.applicationDidChangeScreenParameters(notification)
    },
    Case("applicationDidChangeOcclusionState:", .occlusionStateDidChange, payload: "true") {
      let application = NSApplication()
      application.occlusionState = .visible
      $0.applicationDidChangeOcclusionState(Notification(name: notification.name, object: application))
    },
    Case("applicationProtectedDataWillBecomeUnavailable:", .protectedDataWillBecomeUnavailable) {
      $0.applicationProtectedDataWillBecomeUnavailable(notification)
    },
    Case("applicationProtectedDataDidBecomeAvailable:", .protectedDataDidBecomeAvailable) {
      $0.applicationProtectedDataDidBecomeAvailable(notification)
    },
    Case("applicationShouldTerminate:", .shouldTerminate, answer: false, reply: "terminateCancel") {
      "\($0.applicationShouldTerminate(application))"
    },
    Case(
      "applicationShouldTerminateAfterLastWindowClosed:", .shouldTerminateAfterLastWindowClosed, answer: true,
      reply: "true"
    ) { "\($0.applicationShouldTerminateAfterLastWindowClosed(application))" },
    Case(
      "applicationShouldHandleReopen:hasVisibleWindows:", .shouldHandleReopen, payload: "true", answer: false,
      reply: "false"
    ) { "\($0.applicationShouldHandleReopen(application, hasVisibleWindows: true))" },
    Case("applicationShouldOpenUntitledFile:", .shouldOpenUntitledFile, answer: false, reply: "false") {
      "\($0.applicationShouldOpenUntitledFile(application))"
    },
    Case("applicationOpenUntitledFile:", .openUntitledFile, answer: false, reply: "false") {
      "\($0.applicationOpenUntitledFile(application))"
    },
    Case("applicationSupportsSecureRestorableState:", .supportsSecureRestorableState, answer: true, reply: "true") {
      "\($0.applicationSupportsSecureRestorableState(application))"
    },
    Case(
      "applicationShouldAutomaticallyLocalizeKeyEquivalents:", .shouldLocalizeKeyCommands, answer: false, reply: "false"
    ) { "\($0.applicationShouldAutomaticallyLocalizeKeyEquivalents(application))" },
    Case(
      "application:willPresentError:", .willPresentError, payload: "broken", answer: CancellationError(),
      reply: "CancellationError()"
    ) { "\($0.application(application, willPresentError: Broken()))" },
    Case(
      "application:openURLs:", .openURL,
      payload: #"OpenURLRequest(url: file:///a, sourceApplication: nil, opensInPlace: true, scene: nil)"#
    ) { $0.application(application, open: [URL(string: "file:///a")!]) },
    Case(
      "application:printFiles:withSettings:showPrintPanels:", .printFiles,
      payload:
        #"PrintRequest(files: [file:///a, file:///b], settings: ["NSCopies": TaskKit.PropertyValue.integer(2)], showsPanels: true)"#,
      answer: true, reply: "printingSuccess"
    ) {
      let settings = [NSPrintInfo.AttributeKey(rawValue: "NSCopies"): 2]
      return
        "\($0.application(application, printFiles: ["/a", "/b"], withSettings: settings, showPrintPanels: true))"
    },
    Case(
      "application:didRegisterForRemoteNotificationsWithDeviceToken:", .didRegisterForRemoteNotifications,
      payload: "1 bytes"
    ) { $0.application(application, didRegisterForRemoteNotificationsWithDeviceToken: Data([1])) },
    Case(
      "application:didFailToRegisterForRemoteNotificationsWithError:", .didFailToRegisterForRemoteNotifications,
      payload: "broken"
    ) { $0.application(application, didFailToRegisterForRemoteNotificationsWithError: Broken()) },
    Case(
      "application:didReceiveRemoteNotification:", .didReceiveRemoteNotification,
      payload: #"["badge": TaskKit.PropertyValue.integer(3)]"#
    ) { $0.application(application, didReceiveRemoteNotification: ["badge": 3]) },
    Case(
      "application:willContinueUserActivityWithType:", .willContinueUserActivity, payload: "read", answer: true,
      reply: "true"
    ) { "\($0.application(application, willContinueUserActivityWithType: "read"))" },
    Case(
      "application:continueUserActivity:restorationHandler:", .continueUserActivity, payload: activityText,
      answer: true,
      reply: "true"
    ) { "\($0.application(application, continue: activity(), restorationHandler: { _ in }))" },
    Case(
      "application:didFailToContinueUserActivityWithType:error:", .didFailToContinueUserActivity,
      payload: #"UserActivityFailure(type: "read", error: broken)"#
    ) { $0.application(application, didFailToContinueUserActivityWithType: "read", error: Broken()) },
    Case("application:didUpdateUserActivity:", .didUpdateUserActivity, payload: activityText) {
      $0.application(application, didUpdate: activity())
    },
    Case(
      "application:userDidAcceptCloudKitShareWithMetadata:", .userDidAcceptCloudKitShare,
      payload: "invitation to a share in iCloud.notes"
    ) {
      $0.application(
        application, userDidAcceptCloudKitShareWith: CKShare.Metadata(containerIdentifier: "iCloud.notes"))
    },
  ]

  private static let launches = ["applicationWillFinishLaunching:", "applicationDidFinishLaunching:"]

  @Test(arguments: cases)
  private func `each callback of AppKit is an event with its payload and its reply`(_ callback: Case) throws {
    let notes = Recorder()
    let center = try TaskCenter.with([callback.task(notes)])
    TestCenter.$current.withValue(center) { #expect(callback.call(AppDelegate()) == callback.reply) }
    #expect(notes.notes == [callback.payload])
  }

  @Test(arguments: cases)
  private func `AppKit's delegate responds to what is subscribed, and always to the launch`(_ callback: Case) throws {
    let center = try TaskCenter.with([callback.task(Recorder())])
    TestCenter.$current.withValue(center) {
      let delegate = AppDelegate()
      let answered = AppKitCallbacks.application.all.map(\.selector).filter { delegate.responds(to: Selector($0)) }
      #expect(answered == Self.launches + [callback.selector])
    }
  }

  @Test func `the table has a row for every callback of AppKit`() {
    #expect(
      AppKitCallbacks.application.all.map(\.selector).sorted() == (Self.launches + Self.cases.map(\.selector)).sorted())
  }

  @Test func `it responds to what a subclass overrides, subscribed or not`() {
    TestCenter.$current.withValue(TaskCenter()) {
      #expect(OverridingDelegate().responds(to: "applicationDidHide:"))
      #expect(!OverridingDelegate().responds(to: "applicationWillHide:"))
    }
  }

  @Test func `the launch says why, and from then on a new day is a significant change of time`() throws {
    let notes = Recorder()
    let center = try TaskCenter.with([
      .event(.willFinishLaunching, name: "will") { @MainActor in notes.note("\($0.payload.reason)") },
      .event(.didFinishLaunching, name: "did") { @MainActor in notes.note("\($0.payload.reason)") },
      .event(.significantTimeChange, name: "time") { @MainActor _ in notes.note("time") },
    ])
    TestCenter.$current.withValue(center) {
      let delegate = AppDelegate()
      delegate.applicationWillFinishLaunching(
        Notification(name: notification.name, userInfo: [NSApplication.launchIsDefaultUserInfoKey: true]))
      delegate.applicationDidFinishLaunching(
        Notification(name: notification.name, userInfo: [NSApplication.launchIsDefaultUserInfoKey: false]))
      NotificationCenter.default.post(name: .NSCalendarDayChanged, object: nil)
      withExtendedLifetime(delegate) {}
    }
    #expect(notes.notes == ["normal", "other", "time"])
  }

  @Test func `both callbacks of AppKit's launch pass on what it says, under its own keys`() throws {
    let values = Values<[String: PropertyValue]?>()
    let center = try TaskCenter.with([
      .event(.willFinishLaunching, name: "will") { values.append($0.payload[LaunchOptions.SystemValues.self]) },
      .event(.didFinishLaunching, name: "did") { values.append($0.payload[LaunchOptions.SystemValues.self]) },
    ])
    TestCenter.$current.withValue(center) {
      let delegate = AppDelegate()
      delegate.applicationWillFinishLaunching(notification)
      delegate.applicationDidFinishLaunching(
        Notification(name: notification.name, userInfo: [NSApplication.launchIsDefaultUserInfoKey: false]))
    }
    #expect(values.values == [nil, ["NSApplicationLaunchIsDefaultLaunchKey": .bool(false)]])
  }

  @Test func `a launch that is not the person's own is told as such, and one by a notification as that`() throws {
    func reason(_ userInfo: [AnyHashable: Any]?) throws -> String {
      let notes = Recorder()
      let center = try TaskCenter.with([
        .event(.didFinishLaunching, name: "did") { @MainActor in notes.note("\($0.payload.reason)") }
      ])
      TestCenter.$current.withValue(center) {
        AppDelegate().applicationDidFinishLaunching(Notification(name: notification.name, userInfo: userInfo))
      }
      return notes.notes.joined()
    }
    let isDefault = NSApplication.launchIsDefaultUserInfoKey
    #expect(try reason(nil) == "normal")
    #expect(try reason([isDefault: true]) == "normal")
    // A document to open or print, a service, or what was there: AppKit says no more.
    #expect(try reason([isDefault: false]) == "other")
    #expect(try reason([isDefault: false, NSApplication.launchUserNotificationUserInfoKey: "tea"]) == "notification")
  }

  @Test func `an answer that takes its time is given later, once`() async throws {
    let gate = Gate()
    let center = try TaskCenter.with([
      .event(
        .shouldTerminate, name: "terminate",
        replying: { _ in
          await gate.pass()
          return false
        }),
      .event(
        .printFiles, name: "print",
        replying: { _ in
          await gate.pass()
          return true
        }),
    ])
    let application = NSApplication()
    TestCenter.$current.withValue(center) {
      #expect(AppDelegate().applicationShouldTerminate(application) == .terminateLater)
      #expect(
        AppDelegate().application(application, printFiles: [], withSettings: [:], showPrintPanels: false)
          == .printingReplyLater)
    }
    #expect(application.replies == [])
    gate.open()
    while application.replies.count < 2 {
      await withCheckedContinuation { continuation in
        application.onReply = {
          application.onReply = nil
          continuation.resume()
        }
      }
    }
    await center.quiet()
    #expect(application.replies.sorted() == ["print success", "terminate false"])
  }

  @Test func `without a task the system does what it always does`() {
    TestCenter.$current.withValue(TaskCenter()) {
      let delegate = AppDelegate()
      #expect(delegate.applicationShouldTerminate(application) == .terminateNow)
      #expect(delegate.applicationShouldHandleReopen(application, hasVisibleWindows: false))
      #expect(delegate.applicationShouldOpenUntitledFile(application))
      #expect(!delegate.applicationShouldTerminateAfterLastWindowClosed(application))
      #expect(!delegate.applicationSupportsSecureRestorableState(application))
      #expect(delegate.applicationShouldAutomaticallyLocalizeKeyEquivalents(application))
      #expect(delegate.application(application, willPresentError: Broken()) is Broken)
      #expect(
        delegate.application(application, printFiles: [], withSettings: [:], showPrintPanels: false) == .printingFailure
      )
    }
  }
}
#endif
