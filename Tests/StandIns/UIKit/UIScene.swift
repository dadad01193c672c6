public import Foundation

@MainActor open class UISceneSession: NSObject {
  public struct Role: RawRepresentable, Hashable, Sendable {
    public let rawValue: String
    public init(rawValue: String) { self.rawValue = rawValue }
    public static let windowApplication = Role(rawValue: "UIWindowSceneSessionRoleApplication")
  }

  public let persistentIdentifier: String
  public let role: Role

  public init(persistentIdentifier: String, role: Role = .windowApplication) {
    self.persistentIdentifier = persistentIdentifier
    self.role = role
  }
}

@MainActor open class UIScene: UIResponder {
  @MainActor open class ConnectionOptions: NSObject {
    open var urlContexts: Set<UIOpenURLContext> = []
    open var sourceApplication: String?
    open var handoffUserActivityType: String?
    open var userActivities: Set<NSUserActivity> = []
    open var shortcutItem: UIApplicationShortcutItem?
    open var notificationResponse: UNNotificationResponse?
    open var cloudKitShareMetadata: CKShare.Metadata?

    public override init() {}
  }

  @MainActor open class OpenURLOptions: NSObject {
    public let sourceApplication: String?
    public let openInPlace: Bool

    public init(sourceApplication: String? = nil, openInPlace: Bool = false) {
      self.sourceApplication = sourceApplication
      self.openInPlace = openInPlace
    }
  }

  public let session: UISceneSession

  public init(session: UISceneSession) { self.session = session }
}

@MainActor open class UIOpenURLContext: NSObject {
  public let url: URL
  public let options: UIScene.OpenURLOptions

  public init(url: URL, options: UIScene.OpenURLOptions = UIScene.OpenURLOptions()) {
    self.url = url
    self.options = options
  }
}

@MainActor open class UISceneConfiguration: NSObject {
  public let name: String?
  public let role: UISceneSession.Role

  public init(name: String?, sessionRole: UISceneSession.Role) {
    self.name = name
    role = sessionRole
  }
}

@MainActor public protocol UICoordinateSpace: NSObjectProtocol {
  var bounds: CGRect { get }
}

@MainActor open class UIView: UIResponder, UICoordinateSpace {
  open var bounds: CGRect

  public init(frame: CGRect = .zero) { bounds = CGRect(origin: .zero, size: frame.size) }
}

@MainActor open class UIWindow: UIView {
  open weak var windowScene: UIWindowScene?
}
@MainActor open class UIViewController: UIResponder {}

@MainActor open class UITraitCollection: NSObject {
  public override init() {}
}

@MainActor open class UIWindowScene: UIScene {
  @MainActor open class Geometry: NSObject {
    public let coordinateSpace: any UICoordinateSpace
    public let interfaceOrientation: UIInterfaceOrientation
    public let isInteractivelyResizing: Bool

    /// The system alone makes them.
    public init(
      _ interfaceOrientation: UIInterfaceOrientation = .portrait, in coordinateSpace: any UICoordinateSpace = UIView(),
      isInteractivelyResizing: Bool = false
    ) {
      self.coordinateSpace = coordinateSpace
      self.interfaceOrientation = interfaceOrientation
      self.isInteractivelyResizing = isInteractivelyResizing
    }
  }

  @MainActor open class WindowingControlStyle: NSObject {
    public static let automatic = WindowingControlStyle()
  }

  open var effectiveGeometry = Geometry()
  open var coordinateSpace: any UICoordinateSpace { effectiveGeometry.coordinateSpace }
}

@MainActor public protocol UISceneDelegate: NSObjectProtocol {
  func scene(
    _ scene: UIScene, willConnectTo session: UISceneSession, options connectionOptions: UIScene.ConnectionOptions)
  func sceneDidDisconnect(_ scene: UIScene)
  func sceneDidBecomeActive(_ scene: UIScene)
  func sceneWillResignActive(_ scene: UIScene)
  func sceneWillEnterForeground(_ scene: UIScene)
  func sceneDidEnterBackground(_ scene: UIScene)
  func scene(_ scene: UIScene, openURLContexts URLContexts: Set<UIOpenURLContext>)
  func stateRestorationActivity(for scene: UIScene) -> NSUserActivity?
  func scene(_ scene: UIScene, restoreInteractionStateWith stateRestorationActivity: NSUserActivity)
  func scene(_ scene: UIScene, willContinueUserActivityWithType userActivityType: String)
  func scene(_ scene: UIScene, continue userActivity: NSUserActivity)
  func scene(_ scene: UIScene, didFailToContinueUserActivityWithType userActivityType: String, error: any Error)
  func scene(_ scene: UIScene, didUpdate userActivity: NSUserActivity)
}

@MainActor public protocol UIWindowSceneDelegate: UISceneDelegate {
  var window: UIWindow? { get set }
  func windowScene(
    _ windowScene: UIWindowScene, didUpdate previousCoordinateSpace: any UICoordinateSpace,
    interfaceOrientation previousInterfaceOrientation: UIInterfaceOrientation,
    traitCollection previousTraitCollection: UITraitCollection)
  func windowScene(
    _ windowScene: UIWindowScene, didUpdateEffectiveGeometry previousEffectiveGeometry: UIWindowScene.Geometry)
  func windowScene(
    _ windowScene: UIWindowScene, performActionFor shortcutItem: UIApplicationShortcutItem,
    completionHandler: @escaping (Bool) -> Void)
  func windowScene(_ windowScene: UIWindowScene, userDidAcceptCloudKitShareWith cloudKitShareMetadata: CKShare.Metadata)
  func preferredWindowingControlStyle(for windowScene: UIWindowScene) -> UIWindowScene.WindowingControlStyle
  func supportedInterfaceOrientations(for windowScene: UIWindowScene) -> UIInterfaceOrientationMask
}

// What the adapter leaves to subclasses.
extension UIWindowSceneDelegate {
  public func preferredWindowingControlStyle(for windowScene: UIWindowScene) -> UIWindowScene.WindowingControlStyle {
    .automatic
  }
}
