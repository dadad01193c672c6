#if !canImport(Darwin)
import Foundation
import StandInUIKit
import TaskKit
import TaskKitTesting
import Testing

private typealias Case = DelegateCase<AppDelegate>

private final class AppDelegate: TaskApplicationDelegate {
  override class var center: TaskCenter { TestCenter.current ?? TaskCenter() }
}

private final class OverridingDelegate: TaskApplicationDelegate {
  override class var center: TaskCenter { TestCenter.current ?? TaskCenter() }
  override class var overriddenSelectors: Set<Selector> { ["applicationDidBecomeActive:"] }

  override func application(
    _ application: UIApplication, willFinishLaunchingWithOptions launchOptions: [UIApplication.LaunchOptionsKey: Any]?
  ) -> Bool {
    super.application(application, willFinishLaunchingWithOptions: launchOptions) && false
  }

  override func application(
    _ application: UIApplication, didFinishLaunchingWithOptions launchOptions: [UIApplication.LaunchOptionsKey: Any]?
  ) -> Bool {
    super.application(application, didFinishLaunchingWithOptions: launchOptions) && false
  }
}

@MainActor private let application = UIApplication()
private let frame = CGRect(x: 0, y: 0, width: 320, height: 20)
private func coder() -> NSCoder { NSKeyedArchiver(requiringSecureCoding: true) }
private let page = URL(string: "https://example.com/a")!
private let activity: @MainActor @Sendable () -> StandInUIKit.NSUserActivity = {
  let activity = StandInUIKit.NSUserActivity(activityType: "read")
  activity.title = "Page"
  activity.webpageURL = page
  activity.referrerURL = URL(string: "app:search")
  activity.targetContentIdentifier = "page 7"
  activity.userInfo = ["page": 7]
  return activity
}
private let activityText =
  #"UserActivity(type: "read", title: Optional("Page"), webpageURL: Optional(https://example.com/a), referrerURL: Optional(app:search), targetContentIdentifier: Optional("page 7"), userInfo: ["page": TaskKit.PropertyValue.integer(7)])"#

/// `UIApplicationDelegate`, callback by callback (R11, E13, R27–R32, Ew4): payload, reply and what is subscribed. Compiled and
/// run with stand-ins that follow Apple's published signatures.
@MainActor
@Suite struct UIKitApplicationTests {
  nonisolated private static let cases: [Case] = [
    Case("applicationDidBecomeActive:", .didBecomeActive) { $0.applicationDidBecomeActive(application) },
    Case("applicationWillResignActive:", .willResignActive) { $0.applicationWillResignActive(application) },
    Case("applicationDidEnterBackground:", .didEnterBackground) { $0.applicationDidEnterBackground(application) },
    Case("applicationWillEnterForeground:", .willEnterForeground) { $0.applicationWillEnterForeground(application) },
    Case("applicationWillTerminate:", .willTerminate) { $0.applicationWillTerminate(application) },
    Case("applicationDidReceiveMemoryWarning:", .didReceiveMemoryWarning) {
      $0.applicationDidReceiveMemoryWarning(application)
    },
    Case("applicationSignificantTimeChange:", .significantTimeChange) {
      $0.applicationSignificantTimeChange(application)
    },
    Case(
      "application:willChangeStatusBarOrientation:duration:", .willChangeStatusBarOrientation,
      payload: "InterfaceTurn(orientation: TaskKit.InterfaceOrientation.landscapeLeft, duration: 0.25 seconds)"
    ) { $0.application(application, willChangeStatusBarOrientation: .landscapeLeft, duration: 0.25) },
    Case("application:didChangeStatusBarOrientation:", .didChangeStatusBarOrientation, payload: "portraitUpsideDown") {
      $0.application(application, didChangeStatusBarOrientation: .portraitUpsideDown)
    },
    Case("application:willChangeStatusBarFrame:", .willChangeStatusBarFrame, payload: "\(frame)") {
      $0.application(application, willChangeStatusBarFrame: frame)
    },
    Case("application:didChangeStatusBarFrame:", .didChangeStatusBarFrame, payload: "\(frame)") {
      $0.application(application, didChangeStatusBarFrame: frame)
    },
    Case("applicationProtectedDataWillBecomeUnavailable:", .protectedDataWillBecomeUnavailable) {
      $0.applicationProtectedDataWillBecomeUnavailable(application)
    },
    Case("applicationProtectedDataDidBecomeAvailable:", .protectedDataDidBecomeAvailable) {
      $0.applicationProtectedDataDidBecomeAvailable(application)
    },
    Case("applicationShouldRequestHealthAuthorization:", .shouldRequestHealthAuthorization) {
      $0.applicationShouldRequestHealthAuthorization(application)
    },
    Case(
      "application:didRegisterUserNotificationSettings:", .didRegisterNotificationSettings,
      payload: "NotificationKinds(rawValue: 5)"
    ) { $0.application(application, didRegister: UIUserNotificationSettings(types: [.badge, .alert])) },
    Case(
      "application:didRegisterForRemoteNotificationsWithDeviceToken:", .didRegisterForRemoteNotifications,
      payload: "2 bytes"
    ) { $0.application(application, didRegisterForRemoteNotificationsWithDeviceToken: Data([1, 2])) },
    Case(
      "application:didFailToRegisterForRemoteNotificationsWithError:", .didFailToRegisterForRemoteNotifications,
      payload: "broken"
    ) { $0.application(application, didFailToRegisterForRemoteNotificationsWithError: Broken()) },
    Case(
      "application:didReceiveLocalNotification:", .didReceiveLocalNotification,
      payload:
        #"SystemNotification(identifier: "", title: "Tea", subtitle: "", body: "is ready", badge: Optional(3), category: "drink", thread: "", date: nil, isRemote: false, userInfo: [:])"#
    ) { delegate in
      let notification = UILocalNotification()
      notification.alertTitle = "Tea"
      notification.alertBody = "is ready"
      notification.applicationIconBadgeNumber = 3
      notification.category = "drink"
      delegate.application(application, didReceive: notification)
    },
    Case(
      "application:didReceiveRemoteNotification:fetchCompletionHandler:", .didReceiveRemoteNotification,
      payload: #"["aps": TaskKit.PropertyValue.dictionary(["badge": TaskKit.PropertyValue.integer(3)])]"#,
      answer: .failed, reply: "failed"
    ) { delegate in
      Case.answers {
        delegate.application(
          application, didReceiveRemoteNotification: ["aps": ["badge": 3]], fetchCompletionHandler: $0)
      }
    },
    Case("application:performFetchWithCompletionHandler:", .performBackgroundFetch, answer: .newData, reply: "newData")
    {
      delegate in
      Case.answers { delegate.application(application, performFetchWithCompletionHandler: $0) }
    },
    Case(
      "application:performActionForShortcutItem:completionHandler:", .performShortcut,
      payload:
        #"ShortcutItem(type: "new", title: "New", subtitle: nil, userInfo: ["kind": TaskKit.PropertyValue.string("note")])"#,
      answer: true, reply: "true"
    ) { delegate in
      let item = UIApplicationShortcutItem(
        type: "new", localizedTitle: "New", userInfo: ["kind": NSString(string: "note")])
      return Case.answers { delegate.application(application, performActionFor: item, completionHandler: $0) }
    },
    Case(
      "application:handleEventsForBackgroundURLSession:completionHandler:", .handleBackgroundURLSession,
      payload: "downloads"
    ) {
      $0.application(application, handleEventsForBackgroundURLSession: "downloads", completionHandler: {})
    },
    Case(
      "application:handleWatchKitExtensionRequest:reply:", .handleWatchRequest,
      payload: #"["page": TaskKit.PropertyValue.integer(7)]"#, answer: ["title": .string("Page"), "none": .null],
      reply: #"Optional([AnyHashable("title"): "Page"])"#
    ) { delegate in
      Case.answers {
        delegate.application(application, handleWatchKitExtensionRequest: ["page": 7], reply: $0)
      }
    },
    Case(
      "application:openURL:options:", .openURL,
      payload:
        #"OpenURLRequest(url: https://example.com/a, sourceApplication: Optional("com.example.other"), opensInPlace: true, scene: nil)"#,
      answer: true, reply: "true"
    ) {
      let options: [UIApplication.OpenURLOptionsKey: Any] = [
        .sourceApplication: "com.example.other", .openInPlace: true,
      ]
      return "\($0.application(application, open: page, options: options))"
    },
    Case(
      "application:willContinueUserActivityWithType:", .willContinueUserActivity, payload: "read", answer: true,
      reply: "true"
    ) { "\($0.application(application, willContinueUserActivityWithType: "read"))" },
    Case(
      "application:continueUserActivity:restorationHandler:", .continueUserActivity, payload: activityText,
      answer: false,
      reply: "false"
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
    Case(
      "application:supportedInterfaceOrientationsForWindow:", .supportedInterfaceOrientations,
      payload: "Optional(one)", answer: [.portrait, .landscapeRight], reply: "10"
    ) {
      let (window, scene) = (UIWindow(), UIWindowScene(session: UISceneSession(persistentIdentifier: "one")))
      window.windowScene = scene
      return "\($0.application(application, supportedInterfaceOrientationsFor: window).rawValue)"
    },
    Case(
      "application:shouldAllowExtensionPointIdentifier:", .shouldAllowExtensionPoint,
      payload: "com.apple.keyboard-service", answer: false, reply: "false"
    ) { "\($0.application(application, shouldAllowExtensionPointIdentifier: .keyboard))" },
    Case("application:shouldSaveSecureApplicationState:", .shouldSaveState, answer: true, reply: "true") {
      "\($0.application(application, shouldSaveSecureApplicationState: coder()))"
    },
    Case("application:shouldRestoreSecureApplicationState:", .shouldRestoreState, answer: true, reply: "true") {
      "\($0.application(application, shouldRestoreSecureApplicationState: coder()))"
    },
    Case(
      "applicationShouldAutomaticallyLocalizeKeyCommands:", .shouldLocalizeKeyCommands, answer: false, reply: "false"
    ) { "\($0.applicationShouldAutomaticallyLocalizeKeyCommands(application))" },
    Case("application:didDiscardSceneSessions:", .didDiscardScenes, payload: "[1, 2]") {
      $0.application(
        application,
        didDiscardSceneSessions: [UISceneSession(persistentIdentifier: "2"), UISceneSession(persistentIdentifier: "1")])
    },
  ]

  private static let launches = [
    "application:willFinishLaunchingWithOptions:", "application:didFinishLaunchingWithOptions:",
  ]

  @Test(arguments: cases)
  private func `each callback is an event with its payload and its reply`(_ callback: Case) throws {
    let notes = Recorder()
    let center = try TaskCenter.with([callback.task(notes)])
    TestCenter.$current.withValue(center) { #expect(callback.call(AppDelegate()) == callback.reply) }
    #expect(notes.notes == [callback.payload])
  }

  @Test(arguments: cases)
  private func `it responds to what is subscribed and to nothing else, but always to the launch, Ew4`(_ callback: Case)
    throws
  {
    let center = try TaskCenter.with([callback.task(Recorder())])
    TestCenter.$current.withValue(center) {
      let delegate = AppDelegate()
      let answered = UIKitCallbacks.application.all.map(\.selector).filter { delegate.responds(to: Selector($0)) }
      #expect(answered == Self.launches + [callback.selector])
    }
  }

  @Test func `the table has a row for every callback of the delegate`() {
    #expect(
      UIKitCallbacks.application.all.map(\.selector).sorted() == (Self.launches + Self.cases.map(\.selector)).sorted())
  }

  @Test func `without a task the system does what it does without a delegate`() {
    TestCenter.$current.withValue(TaskCenter()) {
      let delegate = AppDelegate()
      #expect(!delegate.application(application, shouldSaveSecureApplicationState: coder()))
      #expect(!delegate.application(application, shouldRestoreSecureApplicationState: coder()))
      #expect(delegate.applicationShouldAutomaticallyLocalizeKeyCommands(application))
      #expect(delegate.application(application, shouldAllowExtensionPointIdentifier: .keyboard))
      #expect(
        Case.answers {
          delegate.application(application, handleWatchKitExtensionRequest: nil, reply: $0)
        } == "nil")
    }
  }

  @Test func `ways up that tasks name are taken together, and the declared ones where none is named`()
    throws
  {
    func supported(_ tasks: [TaskDefinition]) throws -> UIInterfaceOrientationMask {
      try TestCenter.$current.withValue(TaskCenter.with(tasks)) {
        AppDelegate().application(application, supportedInterfaceOrientationsFor: nil)
      }
    }
    let upright = TaskDefinition.event(.supportedInterfaceOrientations, name: "upright", replying: { _ in .portrait })
    let sides = TaskDefinition.event(.supportedInterfaceOrientations, name: "sides", replying: { _ in .landscape })
    let none = TaskDefinition.event(.supportedInterfaceOrientations, name: "none", replying: { _ in [] })
    #expect(try supported([upright, sides, none]) == [.portrait, .landscapeLeft, .landscapeRight])
    #expect(try supported([none]) == .all)
    #expect(try supported([]) == .all)
  }

  @Test func `an invitation carries what CloudKit takes to accept it`() throws {
    let payloads = Values<CloudKitShareInvitation>()
    let center = try TaskCenter.with([
      .event(.userDidAcceptCloudKitShare, name: "accept") { payloads.append($0.payload) }
    ])
    let metadata = CKShare.Metadata(containerIdentifier: "iCloud.notes")
    TestCenter.$current.withValue(center) {
      AppDelegate().application(application, userDidAcceptCloudKitShareWith: metadata)
    }
    center.begin(.userDidAcceptCloudKitShare, CloudKitShareInvitation(containerIdentifier: "iCloud.other"))
    #expect(payloads.values.map(\.containerIdentifier) == ["iCloud.notes", "iCloud.other"])
    #expect(payloads.values.first?.metadata === metadata)
    #expect(payloads.values.last?.metadata == nil)
  }

  @Test func `what several tasks answer a watch is put together, and the first in the law's order counts`() throws {
    let center = try TaskCenter.with([
      .event(.handleWatchRequest, name: "first", replying: { _ in ["a": .integer(1)] }),
      .event(.handleWatchRequest, name: "second", replying: { _ in ["a": .integer(2), "b": .integer(3)] }),
    ])
    TestCenter.$current.withValue(center) {
      var answers: [[AnyHashable: Any]?] = []
      AppDelegate().application(application, handleWatchKitExtensionRequest: nil) { answers.append($0) }
      #expect(answers as? [[String: Int]] == [["a": 1, "b": 3]])
    }
  }

  @Test func `what it responds to follows injecting and destroying; a pause changes nothing`() throws {
    let center = TaskCenter()
    try TestCenter.$current.withValue(center) {
      let delegate = AppDelegate()
      let active: Selector = "applicationDidBecomeActive:"
      #expect(!delegate.responds(to: active))
      try center.inject(.event(.didBecomeActive, name: "task") { _ in })
      try center.pause("task")
      #expect(delegate.responds(to: active))
      try center.destroy("task")
      #expect(!delegate.responds(to: active))
      #expect(delegate.responds(to: "somethingElse:"))
      #expect(!delegate.responds(to: nil))
    }
  }

  @Test func `it responds to what a subclass overrides, subscribed or not`() {
    TestCenter.$current.withValue(TaskCenter()) {
      #expect(OverridingDelegate().responds(to: "applicationDidBecomeActive:"))
      #expect(!OverridingDelegate().responds(to: "applicationWillResignActive:"))
    }
  }

  @Test func `the launch runs its main-actor tasks before it returns, with why the program was launched`() throws {
    let notes = Recorder()
    let center = try TaskCenter.with([
      .event(.willFinishLaunching, name: "will") { @MainActor context in notes.note("will \(context.payload.reason)") },
      .event(.didFinishLaunching, name: "did") { @MainActor context in notes.note("did \(context.payload.reason)") },
    ])
    TestCenter.$current.withValue(center) {
      let delegate = AppDelegate()
      let item = UIApplicationShortcutItem(type: "new", localizedTitle: "New", userInfo: nil)
      #expect(delegate.application(application, willFinishLaunchingWithOptions: [.url: page]))
      #expect(delegate.application(application, didFinishLaunchingWithOptions: [.shortcutItem: item]))
      #expect(delegate.application(application, didFinishLaunchingWithOptions: nil))
    }
    #expect(notes.notes == ["will url(https://example.com/a)", #"did shortcut("new")"#])
  }

  /// A callback of the launch, as the system calls it.
  private enum Launch: CaseIterable, Sendable {
    case will, did

    @MainActor func happen(
      toldTo delegate: TaskApplicationDelegate, _ options: [UIApplication.LaunchOptionsKey: Any]? = nil
    ) -> Bool {
      switch self {
      case .will: delegate.application(application, willFinishLaunchingWithOptions: options)
      case .did: delegate.application(application, didFinishLaunchingWithOptions: options)
      }
    }
  }

  @Test(arguments: Launch.allCases)
  private func `a launch is always answered with true, unless a subclass says otherwise`(_ launch: Launch) {
    TestCenter.$current.withValue(TaskCenter()) {
      #expect(launch.happen(toldTo: AppDelegate()))
      #expect(!launch.happen(toldTo: OverridingDelegate()))
    }
  }

  @Test(arguments: Launch.allCases)
  private func `both callbacks of the launch pass on what the system says of it, under its own keys`(_ launch: Launch)
    throws
  {
    let values = Values<[String: PropertyValue]?>()
    let center = try TaskCenter.with([
      .event(.willFinishLaunching, name: "will") { values.append($0.payload[LaunchOptions.SystemValues.self]) },
      .event(.didFinishLaunching, name: "did") { values.append($0.payload[LaunchOptions.SystemValues.self]) },
    ])
    let item = UIApplicationShortcutItem(type: "new", localizedTitle: "New", userInfo: nil)
    TestCenter.$current.withValue(center) {
      #expect(
        launch.happen(
          toldTo: AppDelegate(),
          [
            .url: page, .sourceApplication: "com.example.other", .remoteNotification: ["aps": ["badge": 3]],
            .shortcutItem: item,
          ]))
    }
    #expect(
      values.values == [
        [
          "UIApplicationLaunchOptionsURLKey": .url(page),
          "UIApplicationLaunchOptionsSourceApplicationKey": .string("com.example.other"),
          "UIApplicationLaunchOptionsRemoteNotificationKey": .dictionary(["aps": .dictionary(["badge": .integer(3)])]),
          "UIApplicationLaunchOptionsShortcutItemKey": .other("UIApplicationShortcutItem"),
        ]
      ])
  }

  @Test func `a launch is told apart by what the system says of it`() throws {
    func reason(_ options: [UIApplication.LaunchOptionsKey: Any]?, _ state: UIApplication.State) throws -> String {
      let notes = Recorder()
      let center = try TaskCenter.with([
        .event(.didFinishLaunching, name: "did") { @MainActor context in notes.note("\(context.payload.reason)") }
      ])
      let application = UIApplication()
      application.applicationState = state
      _ = TestCenter.$current.withValue(center) {
        AppDelegate().application(application, didFinishLaunchingWithOptions: options)
      }
      return notes.notes.joined()
    }
    #expect(try reason(nil, .inactive) == "normal")
    #expect(try reason(nil, .background) == "background")
    #expect(try reason([.remoteNotification: [:]], .background) == "notification")
  }

  @Test func `notifications of the system are events from the launch on, while a task wants them`() throws {
    let notes = Recorder()
    let center = try TaskCenter.with([
      .event(.userDidTakeScreenshot, name: "screenshot") { @MainActor _ in notes.note("screenshot") },
      .event(.backgroundRefreshStatusDidChange, name: "refresh") { @MainActor _ in notes.note("refresh") },
    ])
    TestCenter.$current.withValue(center) {
      let delegate = AppDelegate()
      _ = delegate.application(application, willFinishLaunchingWithOptions: nil)
      NotificationCenter.default.post(name: UIApplication.userDidTakeScreenshotNotification, object: nil)
      NotificationCenter.default.post(name: UIApplication.backgroundRefreshStatusDidChangeNotification, object: nil)
      withExtendedLifetime(delegate) {}
    }
    NotificationCenter.default.post(name: UIApplication.userDidTakeScreenshotNotification, object: nil)
    #expect(notes.notes == ["screenshot", "refresh"])
  }
}
#endif
