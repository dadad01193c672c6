/// What a scene's delegate hears of how far its scene is open.
package enum SceneStep: Sendable, CaseIterable {
  case willEnterForeground, didBecomeActive, willResignActive, didEnterBackground, didDisconnect

  /// The scene's own event.
  package var event: LifecycleEvent<SceneIdentifier, Void> {
    switch self {
    case .willEnterForeground: .sceneWillEnterForeground
    case .didBecomeActive: .sceneDidBecomeActive
    case .willResignActive: .sceneWillResignActive
    case .didEnterBackground: .sceneDidEnterBackground
    case .didDisconnect: .sceneDidDisconnect
    }
  }

  /// Where it leads; nil when the scene is gone.
  var phase: ScenePhases.Phase? {
    switch self {
    case .willEnterForeground, .willResignActive: .inactive
    case .didBecomeActive: .active
    case .didEnterBackground: .background
    case .didDisconnect: nil
    }
  }

  /// Whether the scene is more open afterwards.
  var opens: Bool { self == .willEnterForeground || self == .didBecomeActive }

  /// What happens between two phases.
  static func steps(from old: ScenePhases.Phase, to new: ScenePhases.Phase) -> [SceneStep] {
    var steps: [SceneStep] = []
    if old == .background, new > .background { steps.append(.willEnterForeground) }
    if old < .active, new == .active { steps.append(.didBecomeActive) }
    if old == .active, new < .active { steps.append(.willResignActive) }
    if old > .background, new == .background { steps.append(.didEnterBackground) }
    return steps
  }
}
