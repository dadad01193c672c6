#if TASKKIT_STAND_INS || canImport(SwiftUI)
import Foundation
#if TASKKIT_STAND_INS
public import TaskKit
#else
public import SwiftUI
#endif

extension View {
  /// Sends what a scene hears to a center: the changes of its phase, and the URLs and activities that it is given.
  ///
  /// ```swift
  /// WindowGroup { RootView().sendsLifecycle(to: .app, activities: ["com.example.read"]) }
  /// ```
  ///
  /// Belongs on the root view of each scene of a SwiftUI app. On iOS the phases of all scenes together make the program's own
  /// events; on macOS the app delegate (`NSApplicationDelegateAdaptor`) hears of those itself, so there each scene only
  /// sends its own. URLs and activities are taken only if the center has a task for them when the view first appears.
  ///
  /// SwiftUI says nothing of a scene that is closed, but that it is in the background: ``LifecycleEvent/sceneDidDisconnect``
  /// comes with a ``TaskSceneDelegate`` only, and the number of a scene is kept, some ten bytes, as long as the program runs.
  ///
  /// The modifier does not call ``TaskCenter/start()``: an app with schedules, notifications, sequences or jobs calls it
  /// itself, or none of them ever runs.
  ///
  /// - Parameters:
  ///   - center: the center of the app.
  ///   - activities: the types of activities that the scene continues.
  public func sendsLifecycle(to center: TaskCenter, activities: [String] = []) -> some View {
    modifier(SceneLifecycle(center: center, activities: activities))
  }
}

private struct SceneLifecycle: ViewModifier {
  private let center: TaskCenter
  private let activities: [String]
  @Environment(\.scenePhase) private var phase
  /// Decided once: a view whose modifiers come and go loses its state.
  @State private var session: SceneSession

  init(center: TaskCenter, activities: [String]) {
    self.center = center
    self.activities = activities
    _session = State(wrappedValue: SceneSession(center))
  }

  func body(content: Content) -> some View {
    let bridge = CallbackBridge(center)
    let scene = session.scene
    #if os(macOS)
    let movesProgram = false
    #else
    let movesProgram = true
    #endif
    return
      content
      .onChange(of: phase, initial: true) { _, phase in
        bridge.tell(ScenePhases.Phase(phase), of: scene, movesProgram: movesProgram)
      }
      .modifier(URLs(isWanted: session.takesURLs, bridge: bridge, scene: scene))
      .modifier(Activities(types: session.takesActivities ? activities : [], bridge: bridge))
  }
}

/// What is decided when a scene first appears.
private struct SceneSession {
  let scene = SceneIdentifier(UUID().uuidString)
  let takesURLs: Bool
  let takesActivities: Bool

  init(_ center: TaskCenter) {
    takesURLs = center.isSubscribed(to: .openURL)
    takesActivities = center.isSubscribed(to: .continueUserActivity)
  }
}

private struct URLs: ViewModifier {
  let isWanted: Bool
  let bridge: CallbackBridge
  let scene: SceneIdentifier

  @ViewBuilder func body(content: Content) -> some View {
    if isWanted {
      content.onOpenURL { bridge.tell(.openURL, OpenURLRequest($0, scene: scene)) }
    } else {
      content
    }
  }
}

private struct Activities: ViewModifier {
  let types: [String]
  let bridge: CallbackBridge

  func body(content: Content) -> some View {
    types.reduce(AnyView(content)) { view, type in
      AnyView(
        view.onContinueUserActivity(type) { activity in
          bridge.tell(
            .continueUserActivity,
            UserActivity(
              type: activity.activityType, title: activity.title, webpageURL: activity.webpageURL,
              referrerURL: activity.referrerURL, targetContentIdentifier: activity.targetContentIdentifier,
              userInfo: PropertyValue.dictionary(activity.userInfo ?? [:])))
        })
    }
  }
}

extension ScenePhases.Phase {
  fileprivate init(_ phase: ScenePhase) {
    switch phase {
    case .active: self = .active
    case .inactive: self = .inactive
    default: self = .background
    }
  }
}
#endif
