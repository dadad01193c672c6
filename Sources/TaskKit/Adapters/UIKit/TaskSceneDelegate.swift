#if TASKKIT_STAND_INS || (canImport(UIKit) && !os(watchOS))
#if TASKKIT_STAND_INS
import Foundation
public import TaskKit
#else
public import CloudKit
public import Foundation
public import UIKit
import UserNotifications
#endif

/// A scene delegate that sends everything it hears to a center.
///
/// ```swift
/// final class SceneDelegate: TaskSceneDelegate {
///   override class var center: TaskCenter { .app }
/// }
/// ```
///
/// Each callback sends the scene's own event. The program's follow from them: it is as active as its most active scene, so
/// ``LifecycleEvent/didEnterBackground`` comes when the last scene has gone. UIKit calls no such methods of the app delegate
/// once there are scenes.
///
/// What of the steps to the background is still at work when a scene has gone there has the time of `beginBackgroundTask`,
/// where the app's delegate is a ``TaskApplicationDelegate``: that one brings it.
///
/// What a scene is opened for (URLs, activities, a shortcut, an invitation) comes as the same events as later on. Like the
/// app delegate it answers that it responds only to callbacks for which the center has a task (Ew4), and to those that a
/// subclass overrides.
///
/// It does not call ``TaskCenter/start()``: an app with schedules, notifications, sequences or jobs calls it itself, or none
/// of them ever runs.
@MainActor
open class TaskSceneDelegate: UIResponder, UIWindowSceneDelegate {
  open var window: UIWindow?
  /// What was told last of the scene's geometry.
  private var geometry: SceneGeometry?

  /// The center of the app. A subclass overrides it, and gives the same one each time.
  nonisolated open class var center: TaskCenter {
    preconditionFailure("override 'class var center' in \(self), so that it gives the app's center")
  }

  /// How long tasks may take where the system waits for them.
  nonisolated open class var deadlines: CallbackDeadlines { CallbackDeadlines() }

  private var bridge: CallbackBridge { CallbackBridge(Self.center, deadlines: Self.deadlines) }

  nonisolated open override func responds(to selector: Selector!) -> Bool {
    guard super.responds(to: selector), let selector else { return false }
    let isAnswered = UIKitCallbacks.scene.isAnswered(NSStringFromSelector(selector), in: Self.center) ?? true
    return isAnswered || Self.instanceMethod(for: selector) != TaskSceneDelegate.instanceMethod(for: selector)
  }

  // MARK: - Coming and going

  open func scene(
    _ scene: UIScene, willConnectTo session: UISceneSession, options connectionOptions: UIScene.ConnectionOptions
  ) {
    #if os(tvOS)
    let response: SystemNotificationResponse? = nil
    #else
    let response = connectionOptions.notificationResponse.map { SystemNotificationResponse($0) }
    #endif
    bridge.tell(
      .sceneWillConnect,
      SceneConnection(
        scene: SceneIdentifier(session.persistentIdentifier), role: session.role.rawValue,
        sourceApplication: connectionOptions.sourceApplication,
        handoffActivityType: connectionOptions.handoffUserActivityType, notificationResponse: response))
    open(connectionOptions.urlContexts, in: scene)
    for activity in connectionOptions.userActivities.sorted(by: { $0.activityType < $1.activityType }) {
      bridge.tell(.continueUserActivity, UserActivity(activity))
    }
    #if !os(tvOS)
    if let item = connectionOptions.shortcutItem { bridge.tell(.performShortcut, ShortcutItem(item)) }
    #endif
    if let metadata = connectionOptions.cloudKitShareMetadata {
      bridge.tell(.userDidAcceptCloudKitShare, CloudKitShareInvitation(metadata))
    }
  }

  open func sceneDidDisconnect(_ scene: UIScene) { bridge.tell(.didDisconnect, of: SceneIdentifier(scene)) }

  open func sceneWillEnterForeground(_ scene: UIScene) { bridge.tell(.willEnterForeground, of: SceneIdentifier(scene)) }

  open func sceneDidBecomeActive(_ scene: UIScene) { bridge.tell(.didBecomeActive, of: SceneIdentifier(scene)) }

  open func sceneWillResignActive(_ scene: UIScene) { bridge.tell(.willResignActive, of: SceneIdentifier(scene)) }

  open func sceneDidEnterBackground(_ scene: UIScene) { bridge.tell(.didEnterBackground, of: SceneIdentifier(scene)) }

  // MARK: - URLs, activities and shortcuts

  open func scene(_ scene: UIScene, openURLContexts URLContexts: Set<UIOpenURLContext>) {
    open(URLContexts, in: scene)
  }

  open func scene(_ scene: UIScene, willContinueUserActivityWithType userActivityType: String) {
    bridge.tell(.willContinueUserActivity, userActivityType)
  }

  open func scene(_ scene: UIScene, continue userActivity: NSUserActivity) {
    bridge.tell(.continueUserActivity, UserActivity(userActivity))
  }

  open func scene(
    _ scene: UIScene, didFailToContinueUserActivityWithType userActivityType: String, error: any Error
  ) {
    bridge.tell(.didFailToContinueUserActivity, UserActivityFailure(type: userActivityType, error: error))
  }

  open func scene(_ scene: UIScene, didUpdate userActivity: NSUserActivity) {
    bridge.tell(.didUpdateUserActivity, UserActivity(userActivity))
  }

  open func stateRestorationActivity(for scene: UIScene) -> NSUserActivity? {
    // Nobody has an answer until a task gives one: there is no reply that stands for none.
    bridge.answered(.sceneStateRestoration, SceneIdentifier(scene)).map(NSUserActivity.init)
  }

  open func scene(_ scene: UIScene, restoreInteractionStateWith stateRestorationActivity: NSUserActivity) {
    bridge.tell(.restoreSceneState, UserActivity(stateRestorationActivity))
  }

  #if !os(tvOS)
  open func windowScene(
    _ windowScene: UIWindowScene, performActionFor shortcutItem: UIApplicationShortcutItem,
    completionHandler: @escaping (Bool) -> Void
  ) {
    bridge.answer(.performShortcut, ShortcutItem(shortcutItem), otherwise: false, completionHandler)
  }
  #endif

  open func windowScene(
    _ windowScene: UIWindowScene, userDidAcceptCloudKitShareWith cloudKitShareMetadata: CKShare.Metadata
  ) {
    bridge.tell(.userDidAcceptCloudKitShare, CloudKitShareInvitation(cloudKitShareMetadata))
  }

  #if TASKKIT_STAND_INS || os(iOS)
  // By its name in Objective-C, for SDKs that do not know it yet: the system asks for that.
  #if !TASKKIT_STAND_INS
  @objc(supportedInterfaceOrientationsForWindowScene:)
  #endif
  open func supportedInterfaceOrientations(for windowScene: UIWindowScene) -> UIInterfaceOrientationMask {
    bridge.supportedOrientations(of: windowScene)
  }
  #endif

  @available(iOS 26.0, tvOS 26.0, visionOS 26.0, *)
  open func windowScene(
    _ windowScene: UIWindowScene, didUpdateEffectiveGeometry previousEffectiveGeometry: UIWindowScene.Geometry
  ) {
    let previous = SceneGeometry(
      windowScene, in: previousEffectiveGeometry.coordinateSpace,
      orientation: InterfaceOrientation(previousEffectiveGeometry),
      isBeingResized: previousEffectiveGeometry.isInteractivelyResizing)
    tell(SceneGeometry(windowScene), after: previous)
  }

  #if !os(tvOS)
  @available(iOS, deprecated: 26.0)
  @available(visionOS, deprecated: 26.0)
  open func windowScene(
    _ windowScene: UIWindowScene, didUpdate previousCoordinateSpace: any UICoordinateSpace,
    interfaceOrientation previousInterfaceOrientation: UIInterfaceOrientation,
    traitCollection previousTraitCollection: UITraitCollection
  ) {
    let geometry = SceneGeometry(windowScene)
    // It does not say whether the scene was being resized: where that alone has changed, the other form tells it.
    let previous = SceneGeometry(
      windowScene, in: previousCoordinateSpace, orientation: InterfaceOrientation(previousInterfaceOrientation),
      isBeingResized: geometry.isBeingResized)
    tell(geometry, after: previous)
  }
  #endif

  /// Each change once: traits may change while the geometry stays, and systems that know the new form may call both.
  ///
  /// - Parameter previous: what the system says that it was, which counts as long as nothing was told.
  private func tell(_ geometry: SceneGeometry, after previous: SceneGeometry) {
    guard geometry != (self.geometry ?? previous) else { return }
    let hasTurned =
      geometry.orientation != previous.orientation && geometry.orientation != self.geometry?.orientation
    self.geometry = geometry
    bridge.tell(.sceneGeometryDidChange, geometry)
    if hasTurned { bridge.tell(.didChangeStatusBarOrientation, previous.orientation) }
  }

  /// In an order that does not depend on how a set is hashed.
  private func open(_ contexts: Set<UIOpenURLContext>, in scene: UIScene) {
    for context in contexts.sorted(by: { $0.url.absoluteString < $1.url.absoluteString }) {
      bridge.tell(
        .openURL,
        OpenURLRequest(
          context.url, sourceApplication: context.options.sourceApplication,
          opensInPlace: context.options.openInPlace, scene: SceneIdentifier(scene)))
    }
  }
}
#endif
