public import Foundation

// What systems tell an app beyond the moments of RWTaskKit (E13). The adapters send them; on Linux and in tests a program
// sends them itself. Each is sent only where a task wants it.

// MARK: - Activity and windows

extension LifecycleEvent where Payload == Void, Reply == Void {
  /// The program is about to receive input.
  ///
  /// macOS: `applicationWillBecomeActive(_:)`. On iOS and Linux nothing sends it by itself.
  public nonisolated static var willBecomeActive: Self { .init("willBecomeActive") }

  /// The program no longer receives input.
  ///
  /// macOS: `applicationDidResignActive(_:)`. On iOS and Linux nothing sends it by itself.
  public nonisolated static var didResignActive: Self { .init("didResignActive") }

  /// The program is about to be hidden; ``didEnterBackground`` follows.
  ///
  /// macOS: `applicationWillHide(_:)`. On iOS and Linux nothing sends it by itself.
  public nonisolated static var willHide: Self { .init("willHide") }

  /// The program is visible again, after ``willEnterForeground``.
  ///
  /// macOS: `applicationDidUnhide(_:)`. On iOS and Linux nothing sends it by itself.
  public nonisolated static var didUnhide: Self { .init("didUnhide") }

  /// Windows are about to be updated: at every turn of the event loop, so its tasks have to be short.
  ///
  /// macOS: `applicationWillUpdate(_:)`. On iOS and Linux nothing sends it by itself.
  public nonisolated static var willUpdateWindows: Self { .init("willUpdateWindows", burst: .coalesce) }

  /// Windows have been updated: at every turn of the event loop, so its tasks have to be short.
  ///
  /// macOS: `applicationDidUpdate(_:)`. On iOS and Linux nothing sends it by itself.
  public nonisolated static var didUpdateWindows: Self { .init("didUpdateWindows", burst: .coalesce) }

  /// A display was connected, removed or changed.
  ///
  /// macOS: `applicationDidChangeScreenParameters(_:)`. On iOS and Linux nothing sends it by itself.
  public nonisolated static var screenParametersDidChange: Self { .init("screenParametersDidChange") }

  /// Files that are protected while the device is locked can no longer be read soon.
  ///
  /// iOS and macOS: `applicationProtectedDataWillBecomeUnavailable(_:)`. On Linux nothing sends it by itself.
  public nonisolated static var protectedDataWillBecomeUnavailable: Self { .init("protectedDataWillBecomeUnavailable") }

  /// Files that are protected while the device is locked can be read again.
  ///
  /// iOS and macOS: `applicationProtectedDataDidBecomeAvailable(_:)`. On Linux nothing sends it by itself.
  public nonisolated static var protectedDataDidBecomeAvailable: Self { .init("protectedDataDidBecomeAvailable") }

  /// A watch asks the app to ask for access to health data.
  ///
  /// iOS: `applicationShouldRequestHealthAuthorization(_:)`. On macOS and Linux nothing sends it by itself.
  public nonisolated static var shouldRequestHealthAuthorization: Self { .init("shouldRequestHealthAuthorization") }
}

extension LifecycleEvent where Payload == SystemNotification?, Reply == Void {
  /// The person asks, from the system's settings or from a notification, for the app's settings of notifications; the payload
  /// is the notification, if it was one.
  ///
  /// iOS and macOS: `userNotificationCenter(_:openSettingsFor:)`. On Linux nothing sends it by itself.
  public nonisolated static var openNotificationSettings: Self { .init("openNotificationSettings") }
}

extension LifecycleEvent where Payload == Bool, Reply == Void {
  /// Whether the program's windows can be seen at all has changed; the payload says whether one can.
  ///
  /// macOS: `applicationDidChangeOcclusionState(_:)`. On iOS and Linux nothing sends it by itself.
  public nonisolated static var occlusionStateDidChange: Self { .init("occlusionStateDidChange") }
}

extension LifecycleEvent where Payload == CGRect, Reply == Void {
  /// The status bar is about to have that frame.
  ///
  /// iOS: `application(_:willChangeStatusBarFrame:)`, which the system calls for programs without scenes only. On macOS and
  /// Linux nothing sends it by itself.
  public nonisolated static var willChangeStatusBarFrame: Self { .init("willChangeStatusBarFrame") }

  /// The status bar has another frame; the payload is the one that was left.
  ///
  /// iOS: `application(_:didChangeStatusBarFrame:)`, which the system calls for programs without scenes only. On macOS and
  /// Linux nothing sends it by itself.
  public nonisolated static var didChangeStatusBarFrame: Self { .init("didChangeStatusBarFrame") }
}

// MARK: - Questions

extension LifecycleEvent where Payload == Void, Reply == Bool {
  /// Is the state of the interface to be kept? If a task says so, and none says no.
  ///
  /// iOS: `application(_:shouldSaveSecureApplicationState:)`. On macOS and Linux nothing sends it by itself.
  public nonisolated static var shouldSaveState: Self { .init("shouldSaveState", reply: .merge { $0 && $1 }) }

  /// Is the state that was kept to be brought back? If a task says so, and none says no.
  ///
  /// iOS: `application(_:shouldRestoreSecureApplicationState:)`. On macOS and Linux nothing sends it by itself.
  public nonisolated static var shouldRestoreState: Self { .init("shouldRestoreState", reply: .merge { $0 && $1 }) }

  /// Can all that is kept of the interface be read safely? If a task says so, and none says no.
  ///
  /// macOS: `applicationSupportsSecureRestorableState(_:)`. On iOS and Linux nothing sends it by itself.
  public nonisolated static var supportsSecureRestorableState: Self {
    .init("supportsSecureRestorableState", reply: .merge { $0 && $1 })
  }

  /// Are shortcuts of the keyboard to be moved to keys that other keyboards have? Unless a task says no.
  ///
  /// iOS: `applicationShouldAutomaticallyLocalizeKeyCommands(_:)`. macOS:
  /// `applicationShouldAutomaticallyLocalizeKeyEquivalents(_:)`. On Linux nothing sends it by itself.
  public nonisolated static var shouldLocalizeKeyCommands: Self { .init("shouldLocalizeKeyCommands", reply: .all) }

  /// May the program end? Only if every task that answers says so.
  ///
  /// macOS: `applicationShouldTerminate(_:)`; where a task takes its time the system is told to wait. On iOS and Linux
  /// nothing sends it by itself.
  public nonisolated static var shouldTerminate: Self { .init("shouldTerminate", reply: .all) }

  /// Does the program end with its last window? If one task says so.
  ///
  /// macOS: `applicationShouldTerminateAfterLastWindowClosed(_:)`. On iOS and Linux nothing sends it by itself.
  public nonisolated static var shouldTerminateAfterLastWindowClosed: Self {
    .init("shouldTerminateAfterLastWindowClosed", reply: .any)
  }

  /// Is an untitled document to be opened at launch? Unless a task says no.
  ///
  /// macOS: `applicationShouldOpenUntitledFile(_:)`. On iOS and Linux nothing sends it by itself.
  public nonisolated static var shouldOpenUntitledFile: Self { .init("shouldOpenUntitledFile", reply: .all) }

  /// An untitled document is to be opened; a task answers whether it did.
  ///
  /// macOS: `applicationOpenUntitledFile(_:)`. On iOS and Linux nothing sends it by itself.
  public nonisolated static var openUntitledFile: Self { .init("openUntitledFile", reply: .any) }
}

extension LifecycleEvent where Payload == Bool, Reply == Bool {
  /// The person clicks on the running program again; the payload says whether it shows a window. The system does what
  /// it always does unless a task says no.
  ///
  /// macOS: `applicationShouldHandleReopen(_:hasVisibleWindows:)`. On iOS and Linux nothing sends it by itself.
  public nonisolated static var shouldHandleReopen: Self { .init("shouldHandleReopen", reply: .all) }
}

extension LifecycleEvent where Payload == String, Reply == Bool {
  /// May extensions of that kind, such as other keyboards, be used? Only if every task that answers says so.
  ///
  /// iOS: `application(_:shouldAllowExtensionPointIdentifier:)`. On macOS and Linux nothing sends it by itself.
  public nonisolated static var shouldAllowExtensionPoint: Self { .init("shouldAllowExtensionPoint", reply: .all) }

  /// An activity of that type is about to be brought over; a task answers whether it tells the person itself.
  ///
  /// iOS and macOS: `application(_:willContinueUserActivityWithType:)` and the scene's form, which has no answer. On Linux
  /// nothing sends it by itself.
  public nonisolated static var willContinueUserActivity: Self { .init("willContinueUserActivity", reply: .any) }
}

extension LifecycleEvent where Payload == PrintRequest, Reply == Bool {
  /// Files are to be printed; a task answers whether it did.
  ///
  /// macOS: `application(_:printFiles:withSettings:showPrintPanels:)`. On iOS and Linux nothing sends it by itself.
  public nonisolated static var printFiles: Self { .init("printFiles", reply: .any) }
}

extension LifecycleEvent where Payload == any Error, Reply == any Error {
  /// An error is about to be shown; a task answers which one is shown instead. The first answer in the law's order counts.
  ///
  /// macOS: `application(_:willPresentError:)`. On iOS and Linux nothing sends it by itself.
  public nonisolated static var willPresentError: Self { .init("willPresentError", reply: .first) }
}

extension LifecycleEvent where Payload == [String: PropertyValue], Reply == [String: PropertyValue] {
  /// The app on the watch asks something; the payload is its question. What all tasks answer is put together, and of two
  /// values for one key the one that stands first in the law's order counts.
  ///
  /// iOS: `application(_:handleWatchKitExtensionRequest:reply:)`. On macOS and Linux nothing sends it by itself.
  public nonisolated static var handleWatchRequest: Self {
    .init("handleWatchRequest", reply: .merge(whenNobodyAnswers: [:]) { $0.merging($1) { first, _ in first } })
  }
}

extension LifecycleEvent where Payload == SceneIdentifier?, Reply == InterfaceOrientations {
  /// Which ways up may an interface be? All that tasks name are taken, and where none is named at once, those that the
  /// property list of the app declares. The payload is the scene, where the system says which; asked at every turn, so its
  /// tasks have to be short.
  ///
  /// iOS: `application(_:supportedInterfaceOrientationsFor:)`, and the window scene's form, which later systems ask instead.
  /// On macOS and Linux nothing sends it by itself.
  public nonisolated static var supportedInterfaceOrientations: Self {
    .init("supportedInterfaceOrientations", reply: .merge { $0.union($1) })
  }
}

// MARK: - Activities, shortcuts and invitations

extension LifecycleEvent where Payload == UserActivity, Reply == Bool {
  /// An activity is to be continued; a task answers whether it does.
  ///
  /// iOS and macOS: `application(_:continue:restorationHandler:)`, the scene's form, and what a scene is opened for. On
  /// Linux nothing sends it by itself.
  public nonisolated static var continueUserActivity: Self { .init("continueUserActivity", reply: .any) }
}

extension LifecycleEvent where Payload == UserActivity, Reply == Void {
  /// The system has updated an activity of this program.
  ///
  /// iOS and macOS: `application(_:didUpdate:)` and the scene's form. On Linux nothing sends it by itself.
  public nonisolated static var didUpdateUserActivity: Self { .init("didUpdateUserActivity") }

  /// A scene that comes back gets what it gave at ``sceneStateRestoration``.
  ///
  /// iOS: `scene(_:restoreInteractionStateWith:)`. On macOS and Linux nothing sends it by itself.
  public nonisolated static var restoreSceneState: Self { .init("restoreSceneState") }
}

extension LifecycleEvent where Payload == UserActivityFailure, Reply == Void {
  /// An activity could not be brought over.
  ///
  /// iOS and macOS: `application(_:didFailToContinueUserActivityWithType:error:)` and the scene's form. On Linux nothing
  /// sends it by itself.
  public nonisolated static var didFailToContinueUserActivity: Self { .init("didFailToContinueUserActivity") }
}

extension LifecycleEvent where Payload == ShortcutItem, Reply == Bool {
  /// A shortcut of the app's icon was chosen; a task answers whether it did what it says.
  ///
  /// iOS: `application(_:performActionFor:completionHandler:)`, the window scene's form, and what a scene is opened for. On
  /// macOS and Linux nothing sends it by itself.
  public nonisolated static var performShortcut: Self { .init("performShortcut", reply: .any) }
}

extension LifecycleEvent where Payload == CloudKitShareInvitation, Reply == Void {
  /// The person has accepted an invitation to share records of CloudKit, which is to be accepted there now.
  ///
  /// iOS: `application(_:userDidAcceptCloudKitShareWith:)`, the window scene's form, and what a scene is opened for. macOS:
  /// `application(_:userDidAcceptCloudKitShareWith:)`. On Linux nothing sends it by itself.
  public nonisolated static var userDidAcceptCloudKitShare: Self { .init("userDidAcceptCloudKitShare") }
}

// MARK: - Notifications

extension LifecycleEvent where Payload == Data, Reply == Void {
  /// The program may be sent remote notifications; the payload is its device token.
  ///
  /// iOS and macOS: `application(_:didRegisterForRemoteNotificationsWithDeviceToken:)`. On Linux nothing sends it by itself.
  public nonisolated static var didRegisterForRemoteNotifications: Self { .init("didRegisterForRemoteNotifications") }
}

extension LifecycleEvent where Payload == any Error, Reply == Void {
  /// There is no device token, for this reason.
  ///
  /// iOS and macOS: `application(_:didFailToRegisterForRemoteNotificationsWithError:)`. On Linux nothing sends it by itself.
  public nonisolated static var didFailToRegisterForRemoteNotifications: Self {
    .init("didFailToRegisterForRemoteNotifications")
  }
}

extension LifecycleEvent where Payload == NotificationKinds, Reply == Void {
  /// The person has said what notifications may do.
  ///
  /// iOS: `application(_:didRegister:)`, which the system calls for the old way of asking only. On macOS and Linux nothing
  /// sends it by itself.
  public nonisolated static var didRegisterNotificationSettings: Self { .init("didRegisterNotificationSettings") }
}

extension LifecycleEvent where Payload == SystemNotification, Reply == Void {
  /// A local notification has arrived.
  ///
  /// iOS: `application(_:didReceive:)`, which the system calls for the old kind of notification only; for today's see
  /// ``willPresentNotification``. On macOS and Linux nothing sends it by itself.
  public nonisolated static var didReceiveLocalNotification: Self { .init("didReceiveLocalNotification") }
}

extension LifecycleEvent where Payload == [String: PropertyValue], Reply == BackgroundFetchResult {
  /// A remote notification has arrived; the payload is what the server sent. A task answers what came of it.
  ///
  /// iOS: `application(_:didReceiveRemoteNotification:fetchCompletionHandler:)`. macOS:
  /// `application(_:didReceiveRemoteNotification:)`, which has no answer. On Linux nothing sends it by itself.
  public nonisolated static var didReceiveRemoteNotification: Self {
    .init("didReceiveRemoteNotification", reply: .highest)
  }
}

extension LifecycleEvent where Payload == SystemNotification, Reply == NotificationPresentation {
  /// A notification arrives in the foreground; tasks answer how it is to be shown, and all ways named are taken. It is not
  /// shown when nobody answers.
  ///
  /// iOS and macOS: `userNotificationCenter(_:willPresent:withCompletionHandler:)`. On Linux nothing sends it by itself.
  public nonisolated static var willPresentNotification: Self {
    .init("willPresentNotification", reply: .merge(whenNobodyAnswers: []) { $0.union($1) })
  }
}

extension LifecycleEvent where Payload == SystemNotificationResponse, Reply == Void {
  /// The person has opened or dismissed a notification, or chosen one of its actions.
  ///
  /// iOS and macOS: `userNotificationCenter(_:didReceive:withCompletionHandler:)`. On Linux nothing sends it by itself.
  public nonisolated static var didReceiveNotificationResponse: Self { .init("didReceiveNotificationResponse") }
}

// MARK: - Work in the background

extension LifecycleEvent where Payload == Void, Reply == BackgroundFetchResult {
  /// The system offers time to look for new data; a task answers what came of it.
  ///
  /// iOS: `application(_:performFetchWithCompletionHandler:)`. On macOS and Linux nothing sends it by itself.
  public nonisolated static var performBackgroundFetch: Self { .init("performBackgroundFetch", reply: .highest) }
}

extension LifecycleEvent where Payload == String, Reply == Void {
  /// A session of transfers that went on without the program has something to tell; the payload is its identifier. The
  /// system hears that it was dealt with when the tasks have ended.
  ///
  /// iOS: `application(_:handleEventsForBackgroundURLSession:completionHandler:)`. On macOS and Linux nothing sends it by
  /// itself.
  public nonisolated static var handleBackgroundURLSession: Self { .init("handleBackgroundURLSession") }
}

// MARK: - Scenes

extension LifecycleEvent where Payload == SceneConnection, Reply == Void {
  /// A scene is being connected.
  ///
  /// iOS: `scene(_:willConnectTo:options:)`. On macOS and Linux nothing sends it by itself.
  public nonisolated static var sceneWillConnect: Self { .init("sceneWillConnect") }
}

extension LifecycleEvent where Payload == SceneIdentifier, Reply == Void {
  /// A scene was let go of by the system, which may connect it again.
  ///
  /// iOS: `sceneDidDisconnect(_:)`. On macOS and Linux nothing sends it by itself.
  public nonisolated static var sceneDidDisconnect: Self { .init("sceneDidDisconnect") }

  /// A scene is about to be visible; ``willEnterForeground`` comes with the first one.
  ///
  /// iOS: `sceneWillEnterForeground(_:)`. iOS and macOS with SwiftUI: the scene's phase. On Linux nothing sends it by
  /// itself.
  public nonisolated static var sceneWillEnterForeground: Self { .init("sceneWillEnterForeground") }

  /// A scene receives input; ``didBecomeActive`` comes with the first one.
  ///
  /// iOS: `sceneDidBecomeActive(_:)`. iOS and macOS with SwiftUI: the scene's phase. On Linux nothing sends it by itself.
  public nonisolated static var sceneDidBecomeActive: Self { .init("sceneDidBecomeActive") }

  /// A scene is about to stop receiving input; ``willResignActive`` comes with the last one.
  ///
  /// iOS: `sceneWillResignActive(_:)`. iOS and macOS with SwiftUI: the scene's phase. On Linux nothing sends it by itself.
  public nonisolated static var sceneWillResignActive: Self { .init("sceneWillResignActive") }

  /// A scene is no longer visible; ``didEnterBackground`` comes with the last one.
  ///
  /// iOS: `sceneDidEnterBackground(_:)`. iOS and macOS with SwiftUI: the scene's phase. On Linux nothing sends it by itself.
  public nonisolated static var sceneDidEnterBackground: Self { .init("sceneDidEnterBackground") }
}

extension LifecycleEvent where Payload == SceneGeometry, Reply == Void {
  /// A scene has another size or orientation, or is no longer being resized.
  ///
  /// iOS, tvOS and visionOS: `windowScene(_:didUpdateEffectiveGeometry:)`, and before version 26, which tvOS says nothing
  /// of, `windowScene(_:didUpdate:interfaceOrientation:traitCollection:)`. On macOS and Linux nothing sends it by itself.
  public nonisolated static var sceneGeometryDidChange: Self { .init("sceneGeometryDidChange") }
}

extension LifecycleEvent where Payload == [SceneIdentifier], Reply == Void {
  /// The person has closed these scenes for good: what is kept for them can go.
  ///
  /// iOS: `application(_:didDiscardSceneSessions:)`. On macOS and Linux nothing sends it by itself.
  public nonisolated static var didDiscardScenes: Self { .init("didDiscardScenes") }
}

extension LifecycleEvent where Payload == SceneIdentifier, Reply == UserActivity {
  /// What is a scene to be brought back with? The first answer in the law's order counts.
  ///
  /// iOS: `stateRestorationActivity(for:)`. On macOS and Linux nothing sends it by itself.
  public nonisolated static var sceneStateRestoration: Self { .init("sceneStateRestoration", reply: .first) }
}
