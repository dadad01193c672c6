#if TASKKIT_STAND_INS || (canImport(UIKit) && !os(watchOS))
import Foundation
#if TASKKIT_STAND_INS
import TaskKit
#else
import UIKit
#endif

// UIKit's values as those of the events.

extension LaunchOptions {
  @MainActor
  init(_ application: UIApplication, _ options: [UIApplication.LaunchOptionsKey: Any]?) {
    self.init()
    self[SystemValues.self] = options.map { options in
      Dictionary(uniqueKeysWithValues: options.map { ($0.key.rawValue, PropertyValue($0.value)) })
    }
    if let url = options?[.url] as? URL {
      reason = .url(url)
    } else if options?[.remoteNotification] != nil {
      reason = .notification
    } else if environment["ActivePrewarm"] == "1" {
      reason = .prewarmed
    } else {
      let isInBackground = application.applicationState == .background
      reason = Reason(isInBackground: isInBackground, properties: Bundle.main.infoDictionary ?? [:])
    }
    #if !os(tvOS)
    if let item = options?[.shortcutItem] as? UIApplicationShortcutItem { reason = .shortcut(item.type) }
    #endif
  }
}

extension BackgroundTimeSource {
  /// The time of `beginBackgroundTask`.
  @MainActor
  init(_ application: UIApplication) {
    self.init { name, whenOver in
      let identifier = application.beginBackgroundTask(withName: name, expirationHandler: whenOver)
      guard identifier != .invalid else { return nil }
      return { application.endBackgroundTask(identifier) }
    }
  }
}

extension SceneIdentifier {
  @MainActor
  init(_ scene: UIScene) { self.init(scene.session.persistentIdentifier) }
}

extension UIBackgroundFetchResult {
  init(_ result: BackgroundFetchResult) {
    switch result {
    case .newData: self = .newData
    case .failed: self = .failed
    case .noData: self = .noData
    }
  }
}

extension UserActivity {
  init(_ activity: NSUserActivity) {
    self.init(
      type: activity.activityType, title: activity.title, webpageURL: activity.webpageURL,
      referrerURL: activity.referrerURL, targetContentIdentifier: activity.targetContentIdentifier,
      userInfo: PropertyValue.dictionary(activity.userInfo ?? [:]))
  }
}

extension NSUserActivity {
  convenience init(_ activity: UserActivity) {
    self.init(activityType: activity.type)
    title = activity.title
    webpageURL = activity.webpageURL
    referrerURL = activity.referrerURL
    targetContentIdentifier = activity.targetContentIdentifier
    userInfo = activity.userInfo.compactMapValues(\.plainValue)
  }
}

#if !os(tvOS)
extension ShortcutItem {
  @MainActor
  init(_ item: UIApplicationShortcutItem) {
    self.init(
      type: item.type, title: item.localizedTitle, subtitle: item.localizedSubtitle,
      userInfo: PropertyValue.dictionary(item.userInfo ?? [:]))
  }
}
#endif

#if !os(tvOS)
extension InterfaceOrientation {
  init(_ orientation: UIInterfaceOrientation) {
    switch orientation {
    case .portrait: self = .portrait
    case .portraitUpsideDown: self = .portraitUpsideDown
    case .landscapeLeft: self = .landscapeLeft
    case .landscapeRight: self = .landscapeRight
    default: self = .unknown
    }
  }
}
#endif

extension InterfaceOrientation {
  /// A television has none.
  @MainActor
  init(_ geometry: UIWindowScene.Geometry) {
    #if os(tvOS)
    self = .unknown
    #else
    self.init(geometry.interfaceOrientation)
    #endif
  }
}

#if TASKKIT_STAND_INS || os(iOS)
extension CallbackBridge {
  /// What tasks answer at once, or what the app's property list declares: the system takes none for a mistake.
  @MainActor func supportedOrientations(of scene: UIWindowScene?) -> UIInterfaceOrientationMask {
    let answer = answered(.supportedInterfaceOrientations, scene.map { SceneIdentifier($0) }) ?? []
    let declared = InterfaceOrientations(declaredIn: Bundle.main.infoDictionary ?? [:])
    return UIInterfaceOrientationMask(answer.isEmpty ? declared : answer)
  }
}

extension UIInterfaceOrientationMask {
  init(_ orientations: InterfaceOrientations) {
    self = []
    if orientations.contains(.portrait) { insert(.portrait) }
    if orientations.contains(.portraitUpsideDown) { insert(.portraitUpsideDown) }
    if orientations.contains(.landscapeLeft) { insert(.landscapeLeft) }
    if orientations.contains(.landscapeRight) { insert(.landscapeRight) }
  }
}
#endif

extension SceneGeometry {
  @MainActor
  init(_ scene: UIWindowScene) {
    let geometry = scene.effectiveGeometry
    var space: any UICoordinateSpace = scene.coordinateSpace
    var isBeingResized = false
    if #available(iOS 26.0, tvOS 26.0, visionOS 26.0, *) {
      space = geometry.coordinateSpace
      isBeingResized = geometry.isInteractivelyResizing
    }
    self.init(scene, in: space, orientation: InterfaceOrientation(geometry), isBeingResized: isBeingResized)
  }

  /// What the geometry of a scene is, or was: as large as a space.
  @MainActor
  init(
    _ scene: UIWindowScene, in space: any UICoordinateSpace, orientation: InterfaceOrientation, isBeingResized: Bool
  ) {
    let size = space.bounds.size
    self.init(
      scene: SceneIdentifier(scene), width: size.width, height: size.height, orientation: orientation,
      isBeingResized: isBeingResized)
  }
}
#endif
