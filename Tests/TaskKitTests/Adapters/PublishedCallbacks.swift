#if !canImport(Darwin)
/// What Apple's headers publish for each delegate, written down from them and from nothing of this library, so that a
/// callback that the library has forgotten is found (iOS and macOS 26, with the orientations of scenes that came after).
enum PublishedCallbacks {
  /// What the adapters make of a callback.
  enum Treatment: Hashable {
    /// It comes as these events.
    case event([String])
    /// The system asks by another callback instead, where a delegate has that one.
    case replaced(by: String)
    /// A subclass answers it.
    case left(Reason)
  }

  /// Why a callback is left to the subclass: what it gives or takes cannot be sent to tasks.
  enum Reason: String {
    /// Windows, menus and scenes as the system builds them.
    case windows
    /// A coder, whose content is read and written while the callback lasts.
    case coders
    /// Intents, each with a handler of its own.
    case intents
    /// Values of the delegate that scripts read: who has them answers.
    case scripting
  }

  typealias Table = KeyValuePairs<String, Treatment>

  /// `UIApplicationDelegate`.
  static var application: Table {
    [
      "applicationDidFinishLaunching:": .replaced(by: "application:didFinishLaunchingWithOptions:"),
      "application:willFinishLaunchingWithOptions:": .event(["willFinishLaunching"]),
      "application:didFinishLaunchingWithOptions:": .event(["didFinishLaunching"]),
      "applicationDidBecomeActive:": .event(["didBecomeActive"]),
      "applicationWillResignActive:": .event(["willResignActive"]),
      "applicationDidEnterBackground:": .event(["didEnterBackground"]),
      "applicationWillEnterForeground:": .event(["willEnterForeground"]),
      "application:handleOpenURL:": .replaced(by: "application:openURL:options:"),
      "application:openURL:sourceApplication:annotation:": .replaced(by: "application:openURL:options:"),
      "application:openURL:options:": .event(["openURL"]),
      "applicationDidReceiveMemoryWarning:": .event(["didReceiveMemoryWarning"]),
      "applicationWillTerminate:": .event(["willTerminate"]),
      "applicationSignificantTimeChange:": .event(["significantTimeChange"]),
      "application:willChangeStatusBarOrientation:duration:": .event(["willChangeStatusBarOrientation"]),
      "application:didChangeStatusBarOrientation:": .event(["didChangeStatusBarOrientation"]),
      "application:willChangeStatusBarFrame:": .event(["willChangeStatusBarFrame"]),
      "application:didChangeStatusBarFrame:": .event(["didChangeStatusBarFrame"]),
      "application:didRegisterUserNotificationSettings:": .event(["didRegisterNotificationSettings"]),
      "application:didRegisterForRemoteNotificationsWithDeviceToken:": .event(["didRegisterForRemoteNotifications"]),
      "application:didFailToRegisterForRemoteNotificationsWithError:":
        .event(["didFailToRegisterForRemoteNotifications"]),
      "application:didReceiveRemoteNotification:":
        .replaced(by: "application:didReceiveRemoteNotification:fetchCompletionHandler:"),
      "application:didReceiveLocalNotification:": .event(["didReceiveLocalNotification"]),
      "application:handleActionWithIdentifier:forLocalNotification:completionHandler:":
        .replaced(by: "userNotificationCenter:didReceiveNotificationResponse:withCompletionHandler:"),
      "application:handleActionWithIdentifier:forRemoteNotification:withResponseInfo:completionHandler:":
        .replaced(by: "userNotificationCenter:didReceiveNotificationResponse:withCompletionHandler:"),
      "application:handleActionWithIdentifier:forRemoteNotification:completionHandler:":
        .replaced(by: "userNotificationCenter:didReceiveNotificationResponse:withCompletionHandler:"),
      "application:handleActionWithIdentifier:forLocalNotification:withResponseInfo:completionHandler:":
        .replaced(by: "userNotificationCenter:didReceiveNotificationResponse:withCompletionHandler:"),
      "application:didReceiveRemoteNotification:fetchCompletionHandler:": .event(["didReceiveRemoteNotification"]),
      "application:performFetchWithCompletionHandler:": .event(["performBackgroundFetch"]),
      "application:performActionForShortcutItem:completionHandler:": .event(["performShortcut"]),
      "application:handleEventsForBackgroundURLSession:completionHandler:": .event(["handleBackgroundURLSession"]),
      "application:handleWatchKitExtensionRequest:reply:": .event(["handleWatchRequest"]),
      "applicationShouldRequestHealthAuthorization:": .event(["shouldRequestHealthAuthorization"]),
      "application:handlerForIntent:": .left(.intents),
      "application:handleIntent:completionHandler:": .left(.intents),
      "applicationProtectedDataWillBecomeUnavailable:": .event(["protectedDataWillBecomeUnavailable"]),
      "applicationProtectedDataDidBecomeAvailable:": .event(["protectedDataDidBecomeAvailable"]),
      "window": .left(.windows),
      "setWindow:": .left(.windows),
      "application:supportedInterfaceOrientationsForWindow:": .event(["supportedInterfaceOrientations"]),
      "application:shouldAllowExtensionPointIdentifier:": .event(["shouldAllowExtensionPoint"]),
      "application:viewControllerWithRestorationIdentifierPath:coder:": .left(.coders),
      "application:shouldSaveSecureApplicationState:": .event(["shouldSaveState"]),
      "application:shouldRestoreSecureApplicationState:": .event(["shouldRestoreState"]),
      "application:willEncodeRestorableStateWithCoder:": .left(.coders),
      "application:didDecodeRestorableStateWithCoder:": .left(.coders),
      "application:shouldSaveApplicationState:": .replaced(by: "application:shouldSaveSecureApplicationState:"),
      "application:shouldRestoreApplicationState:": .replaced(by: "application:shouldRestoreSecureApplicationState:"),
      "application:willContinueUserActivityWithType:": .event(["willContinueUserActivity"]),
      "application:continueUserActivity:restorationHandler:": .event(["continueUserActivity"]),
      "application:didFailToContinueUserActivityWithType:error:": .event(["didFailToContinueUserActivity"]),
      "application:didUpdateUserActivity:": .event(["didUpdateUserActivity"]),
      "application:userDidAcceptCloudKitShareWithMetadata:": .event(["userDidAcceptCloudKitShare"]),
      "application:configurationForConnectingSceneSession:options:": .left(.windows),
      "application:didDiscardSceneSessions:": .event(["didDiscardScenes"]),
      "applicationShouldAutomaticallyLocalizeKeyCommands:": .event(["shouldLocalizeKeyCommands"]),
    ]
  }

  /// `UISceneDelegate`, and from `window` on `UIWindowSceneDelegate`.
  static var scene: Table {
    [
      "scene:willConnectToSession:options:":
        .event([
          "sceneWillConnect", "openURL", "continueUserActivity", "performShortcut", "userDidAcceptCloudKitShare",
        ]),
      "sceneDidDisconnect:":
        .event([
          "sceneDidDisconnect", "willEnterForeground", "didBecomeActive", "willResignActive", "didEnterBackground",
        ]),
      "sceneDidBecomeActive:":
        .event([
          "sceneDidBecomeActive", "willEnterForeground", "didBecomeActive", "willResignActive", "didEnterBackground",
        ]),
      "sceneWillResignActive:":
        .event([
          "sceneWillResignActive", "willEnterForeground", "didBecomeActive", "willResignActive", "didEnterBackground",
        ]),
      "sceneWillEnterForeground:":
        .event([
          "sceneWillEnterForeground", "willEnterForeground", "didBecomeActive", "willResignActive",
          "didEnterBackground",
        ]),
      "sceneDidEnterBackground:":
        .event([
          "sceneDidEnterBackground", "willEnterForeground", "didBecomeActive", "willResignActive", "didEnterBackground",
        ]),
      "scene:openURLContexts:": .event(["openURL"]),
      "stateRestorationActivityForScene:": .event(["sceneStateRestoration"]),
      "scene:restoreInteractionStateWithUserActivity:": .event(["restoreSceneState"]),
      "scene:willContinueUserActivityWithType:": .event(["willContinueUserActivity"]),
      "scene:continueUserActivity:": .event(["continueUserActivity"]),
      "scene:didFailToContinueUserActivityWithType:error:": .event(["didFailToContinueUserActivity"]),
      "scene:didUpdateUserActivity:": .event(["didUpdateUserActivity"]),
      "window": .left(.windows),
      "setWindow:": .left(.windows),
      "windowScene:didUpdateCoordinateSpace:interfaceOrientation:traitCollection:":
        .event(["sceneGeometryDidChange", "didChangeStatusBarOrientation"]),
      "windowScene:didUpdateEffectiveGeometry:": .event(["sceneGeometryDidChange", "didChangeStatusBarOrientation"]),
      "windowScene:performActionForShortcutItem:completionHandler:": .event(["performShortcut"]),
      "windowScene:userDidAcceptCloudKitShareWithMetadata:": .event(["userDidAcceptCloudKitShare"]),
      "preferredWindowingControlStyleForScene:": .left(.windows),
      "supportedInterfaceOrientationsForWindowScene:": .event(["supportedInterfaceOrientations"]),
    ]
  }

  /// `NSApplicationDelegate`.
  static var applicationOfAppKit: Table {
    [
      "applicationShouldTerminate:": .event(["shouldTerminate"]),
      "application:openURLs:": .event(["openURL"]),
      "application:openFile:": .replaced(by: "application:openURLs:"),
      "application:openFiles:": .replaced(by: "application:openURLs:"),
      "application:openTempFile:": .replaced(by: "application:openURLs:"),
      "applicationShouldOpenUntitledFile:": .event(["shouldOpenUntitledFile"]),
      "applicationOpenUntitledFile:": .event(["openUntitledFile"]),
      "application:openFileWithoutUI:": .replaced(by: "application:openURLs:"),
      "application:printFile:": .replaced(by: "application:printFiles:withSettings:showPrintPanels:"),
      "application:printFiles:withSettings:showPrintPanels:": .event(["printFiles"]),
      "applicationShouldTerminateAfterLastWindowClosed:": .event(["shouldTerminateAfterLastWindowClosed"]),
      "applicationShouldHandleReopen:hasVisibleWindows:": .event(["shouldHandleReopen"]),
      "applicationDockMenu:": .left(.windows),
      "application:willPresentError:": .event(["willPresentError"]),
      "application:didRegisterForRemoteNotificationsWithDeviceToken:": .event(["didRegisterForRemoteNotifications"]),
      "application:didFailToRegisterForRemoteNotificationsWithError:":
        .event(["didFailToRegisterForRemoteNotifications"]),
      "application:didReceiveRemoteNotification:": .event(["didReceiveRemoteNotification"]),
      "applicationSupportsSecureRestorableState:": .event(["supportsSecureRestorableState"]),
      "application:handlerForIntent:": .left(.intents),
      "application:willEncodeRestorableState:": .left(.coders),
      "application:didDecodeRestorableState:": .left(.coders),
      "application:willContinueUserActivityWithType:": .event(["willContinueUserActivity"]),
      "application:continueUserActivity:restorationHandler:": .event(["continueUserActivity"]),
      "application:didFailToContinueUserActivityWithType:error:": .event(["didFailToContinueUserActivity"]),
      "application:didUpdateUserActivity:": .event(["didUpdateUserActivity"]),
      "application:userDidAcceptCloudKitShareWithMetadata:": .event(["userDidAcceptCloudKitShare"]),
      "application:delegateHandlesKey:": .left(.scripting),
      "applicationShouldAutomaticallyLocalizeKeyEquivalents:": .event(["shouldLocalizeKeyCommands"]),
      "applicationWillFinishLaunching:": .event(["willFinishLaunching"]),
      "applicationDidFinishLaunching:": .event(["didFinishLaunching"]),
      "applicationWillHide:": .event(["willHide"]),
      "applicationDidHide:": .event(["didEnterBackground"]),
      "applicationWillUnhide:": .event(["willEnterForeground"]),
      "applicationDidUnhide:": .event(["didUnhide"]),
      "applicationWillBecomeActive:": .event(["willBecomeActive"]),
      "applicationDidBecomeActive:": .event(["didBecomeActive"]),
      "applicationWillResignActive:": .event(["willResignActive"]),
      "applicationDidResignActive:": .event(["didResignActive"]),
      "applicationWillUpdate:": .event(["willUpdateWindows"]),
      "applicationDidUpdate:": .event(["didUpdateWindows"]),
      "applicationWillTerminate:": .event(["willTerminate"]),
      "applicationDidChangeScreenParameters:": .event(["screenParametersDidChange"]),
      "applicationDidChangeOcclusionState:": .event(["occlusionStateDidChange"]),
      "applicationProtectedDataWillBecomeUnavailable:": .event(["protectedDataWillBecomeUnavailable"]),
      "applicationProtectedDataDidBecomeAvailable:": .event(["protectedDataDidBecomeAvailable"]),
    ]
  }

  /// `UNUserNotificationCenterDelegate`.
  static var notifications: Table {
    [
      "userNotificationCenter:willPresentNotification:withCompletionHandler:": .event(["willPresentNotification"]),
      "userNotificationCenter:didReceiveNotificationResponse:withCompletionHandler:":
        .event(["didReceiveNotificationResponse"]),
      "userNotificationCenter:openSettingsForNotification:": .event(["openNotificationSettings"]),
    ]
  }
}
#endif
