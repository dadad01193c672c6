/// What UIKit's delegates are asked for, by the names of the published headers.
package enum UIKitCallbacks {
  /// Of `UIApplicationDelegate`.
  package static let application: DelegateCallbacks = [
    .init("application:willFinishLaunchingWithOptions:", isAlwaysAnswered: true, .willFinishLaunching),
    .init("application:didFinishLaunchingWithOptions:", isAlwaysAnswered: true, .didFinishLaunching),
    .init("applicationDidBecomeActive:", .didBecomeActive),
    .init("applicationWillResignActive:", .willResignActive),
    .init("applicationDidEnterBackground:", .didEnterBackground),
    .init("applicationWillEnterForeground:", .willEnterForeground),
    .init("applicationWillTerminate:", isLast: true, .willTerminate),
    .init("applicationDidReceiveMemoryWarning:", .didReceiveMemoryWarning),
    .init("applicationSignificantTimeChange:", .significantTimeChange),
    .init("application:willChangeStatusBarOrientation:duration:", .willChangeStatusBarOrientation),
    .init("application:didChangeStatusBarOrientation:", .didChangeStatusBarOrientation),
    .init("application:willChangeStatusBarFrame:", .willChangeStatusBarFrame),
    .init("application:didChangeStatusBarFrame:", .didChangeStatusBarFrame),
    .init("applicationProtectedDataWillBecomeUnavailable:", .protectedDataWillBecomeUnavailable),
    .init("applicationProtectedDataDidBecomeAvailable:", .protectedDataDidBecomeAvailable),
    .init("applicationShouldRequestHealthAuthorization:", .shouldRequestHealthAuthorization),
    .init("application:didRegisterUserNotificationSettings:", .didRegisterNotificationSettings),
    .init("application:didRegisterForRemoteNotificationsWithDeviceToken:", .didRegisterForRemoteNotifications),
    .init("application:didFailToRegisterForRemoteNotificationsWithError:", .didFailToRegisterForRemoteNotifications),
    .init("application:didReceiveLocalNotification:", .didReceiveLocalNotification),
    .init("application:didReceiveRemoteNotification:fetchCompletionHandler:", .didReceiveRemoteNotification),
    .init("application:performFetchWithCompletionHandler:", .performBackgroundFetch),
    .init("application:performActionForShortcutItem:completionHandler:", .performShortcut),
    .init("application:handleEventsForBackgroundURLSession:completionHandler:", .handleBackgroundURLSession),
    .init("application:handleWatchKitExtensionRequest:reply:", .handleWatchRequest),
    .init("application:openURL:options:", .openURL),
    .init("application:willContinueUserActivityWithType:", .willContinueUserActivity),
    .init("application:continueUserActivity:restorationHandler:", .continueUserActivity),
    .init("application:didFailToContinueUserActivityWithType:error:", .didFailToContinueUserActivity),
    .init("application:didUpdateUserActivity:", .didUpdateUserActivity),
    .init("application:userDidAcceptCloudKitShareWithMetadata:", .userDidAcceptCloudKitShare),
    .init("application:supportedInterfaceOrientationsForWindow:", .supportedInterfaceOrientations),
    .init("application:shouldAllowExtensionPointIdentifier:", .shouldAllowExtensionPoint),
    .init("application:shouldSaveSecureApplicationState:", .shouldSaveState),
    .init("application:shouldRestoreSecureApplicationState:", .shouldRestoreState),
    .init("applicationShouldAutomaticallyLocalizeKeyCommands:", .shouldLocalizeKeyCommands),
    .init("application:didDiscardSceneSessions:", .didDiscardScenes),
  ]

  /// Of `UISceneDelegate` and `UIWindowSceneDelegate`.
  ///
  /// A program's own phase follows from those of all its scenes, so who wants to hear of one step needs them all.
  package static let scene: DelegateCallbacks = [
    .init(
      "scene:willConnectToSession:options:", .sceneWillConnect, .openURL, .continueUserActivity, .performShortcut,
      .userDidAcceptCloudKitShare),
    .init(
      "sceneDidDisconnect:", .sceneDidDisconnect, .willResignActive, .didEnterBackground, .willEnterForeground,
      .didBecomeActive),
    .init(
      "sceneWillEnterForeground:", .sceneWillEnterForeground, .willEnterForeground, .didBecomeActive, .willResignActive,
      .didEnterBackground),
    .init(
      "sceneDidBecomeActive:", .sceneDidBecomeActive, .willEnterForeground, .didBecomeActive, .willResignActive,
      .didEnterBackground),
    .init(
      "sceneWillResignActive:", .sceneWillResignActive, .willEnterForeground, .didBecomeActive, .willResignActive,
      .didEnterBackground),
    .init(
      "sceneDidEnterBackground:", .sceneDidEnterBackground, .willEnterForeground, .didBecomeActive, .willResignActive,
      .didEnterBackground),
    .init("scene:openURLContexts:", .openURL),
    .init("stateRestorationActivityForScene:", .sceneStateRestoration),
    .init("scene:restoreInteractionStateWithUserActivity:", .restoreSceneState),
    .init("scene:willContinueUserActivityWithType:", .willContinueUserActivity),
    .init("scene:continueUserActivity:", .continueUserActivity),
    .init("scene:didFailToContinueUserActivityWithType:error:", .didFailToContinueUserActivity),
    .init("scene:didUpdateUserActivity:", .didUpdateUserActivity),
    .init("windowScene:didUpdateEffectiveGeometry:", .sceneGeometryDidChange, .didChangeStatusBarOrientation),
    .init(
      "windowScene:didUpdateCoordinateSpace:interfaceOrientation:traitCollection:", .sceneGeometryDidChange,
      .didChangeStatusBarOrientation),
    .init("windowScene:performActionForShortcutItem:completionHandler:", .performShortcut),
    .init("windowScene:userDidAcceptCloudKitShareWithMetadata:", .userDidAcceptCloudKitShare),
    .init("supportedInterfaceOrientationsForWindowScene:", .supportedInterfaceOrientations),
  ]
}
