#if !canImport(Darwin)
import StandInUIKit
import TaskKit

extension SceneStep {
  /// The callback's name.
  var selector: String {
    switch self {
    case .willEnterForeground: "sceneWillEnterForeground:"
    case .didBecomeActive: "sceneDidBecomeActive:"
    case .willResignActive: "sceneWillResignActive:"
    case .didEnterBackground: "sceneDidEnterBackground:"
    case .didDisconnect: "sceneDidDisconnect:"
    }
  }

  /// A scene that comes and goes, without its end.
  static let life: [SceneStep] = [.willEnterForeground, .didBecomeActive, .willResignActive, .didEnterBackground]

  /// Calls a delegate as UIKit does: only if it says that it responds to that.
  @MainActor func happen(to scene: UIScene, toldTo delegate: TaskSceneDelegate) {
    guard delegate.responds(to: Selector(selector)) else { return }
    switch self {
    case .willEnterForeground: delegate.sceneWillEnterForeground(scene)
    case .didBecomeActive: delegate.sceneDidBecomeActive(scene)
    case .willResignActive: delegate.sceneWillResignActive(scene)
    case .didEnterBackground: delegate.sceneDidEnterBackground(scene)
    case .didDisconnect: delegate.sceneDidDisconnect(scene)
    }
  }
}
#endif
