/// TaskKit's own events. They are not scanned, since TaskKit's sources hold no tasks.
enum KnownEvents {
  /// By member, which is the name: what they carry, and what is answered.
  static let types: [String: (payload: String, reply: String)] = {
    var events: [String: (payload: String, reply: String)] = [
      "willFinishLaunching": ("LaunchOptions", "Void"), "didFinishLaunching": ("LaunchOptions", "Void"),
      "openURL": ("OpenURLRequest", "Bool"),
      "willChangeStatusBarOrientation": ("InterfaceTurn", "Void"),
      "didChangeStatusBarOrientation": ("InterfaceOrientation", "Void"), "occlusionStateDidChange": ("Bool", "Void"),
      "shouldHandleReopen": ("Bool", "Bool"), "shouldAllowExtensionPoint": ("String", "Bool"),
      "willContinueUserActivity": ("String", "Bool"), "printFiles": ("PrintRequest", "Bool"),
      "continueUserActivity": ("UserActivity", "Bool"), "didUpdateUserActivity": ("UserActivity", "Void"),
      "restoreSceneState": ("UserActivity", "Void"), "didFailToContinueUserActivity": ("UserActivityFailure", "Void"),
      "performShortcut": ("ShortcutItem", "Bool"), "didRegisterForRemoteNotifications": ("Data", "Void"),
      "didFailToRegisterForRemoteNotifications": ("any Error", "Void"),
      "didRegisterNotificationSettings": ("NotificationKinds", "Void"),
      "didReceiveLocalNotification": ("SystemNotification", "Void"),
      "didReceiveRemoteNotification": ("[String: PropertyValue]", "BackgroundFetchResult"),
      "willPresentNotification": ("SystemNotification", "NotificationPresentation"),
      "openNotificationSettings": ("SystemNotification?", "Void"),
      "didReceiveNotificationResponse": ("SystemNotificationResponse", "Void"),
      "performBackgroundFetch": ("Void", "BackgroundFetchResult"), "handleBackgroundURLSession": ("String", "Void"),
      "sceneWillConnect": ("SceneConnection", "Void"), "didDiscardScenes": ("[SceneIdentifier]", "Void"),
      "sceneStateRestoration": ("SceneIdentifier", "UserActivity"),
      "sceneGeometryDidChange": ("SceneGeometry", "Void"), "willChangeStatusBarFrame": ("CGRect", "Void"),
      "didChangeStatusBarFrame": ("CGRect", "Void"), "willPresentError": ("any Error", "any Error"),
      "supportedInterfaceOrientations": ("SceneIdentifier?", "InterfaceOrientations"),
      "userDidAcceptCloudKitShare": ("CloudKitShareInvitation", "Void"),
      "handleWatchRequest": ("[String: PropertyValue]", "[String: PropertyValue]"),
    ]
    for name in [
      "willEnterForeground", "didEnterBackground", "didBecomeActive", "willResignActive", "didReceiveMemoryWarning",
      "willTerminate", "significantTimeChange", "backgroundRefreshStatusDidChange", "userDidTakeScreenshot", "idle",
      "willBecomeActive", "didResignActive", "willHide", "didUnhide", "willUpdateWindows", "didUpdateWindows",
      "screenParametersDidChange", "protectedDataWillBecomeUnavailable", "protectedDataDidBecomeAvailable",
      "shouldRequestHealthAuthorization", "reload",
    ] { events[name] = ("Void", "Void") }
    for name in [
      "shouldTerminate", "shouldTerminateAfterLastWindowClosed", "shouldOpenUntitledFile", "openUntitledFile",
      "shouldSaveState", "shouldRestoreState", "supportsSecureRestorableState", "shouldLocalizeKeyCommands",
    ] { events[name] = ("Void", "Bool") }
    for name in [
      "sceneDidDisconnect", "sceneWillEnterForeground", "sceneDidBecomeActive", "sceneWillResignActive",
      "sceneDidEnterBackground",
    ] { events[name] = ("SceneIdentifier", "Void") }
    return events
  }()

  /// The types that they carry.
  static let payloads = Set(types.values.map(\.payload))

  /// What is said of one beside its name.
  static func options(of member: String) -> EventOptions { options[member] ?? EventOptions() }

  /// Those that do not happen repeatedly, or do something else with a burst than to queue it.
  private static let options = [
    "willFinishLaunching": EventOptions(isOnce: true), "didFinishLaunching": EventOptions(isOnce: true),
    "reload": EventOptions(burst: "coalesce"), "willUpdateWindows": EventOptions(burst: "coalesce"),
    "didUpdateWindows": EventOptions(burst: "coalesce"),
  ]
}
