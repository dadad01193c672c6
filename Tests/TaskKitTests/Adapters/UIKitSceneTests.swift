#if !canImport(Darwin)
import Foundation
import StandInUIKit
import TaskKit
import TaskKitTesting
import Testing

private typealias Case = DelegateCase<SceneDelegate>

private final class SceneDelegate: TaskSceneDelegate {
  override class var center: TaskCenter { TestCenter.current ?? TaskCenter() }
}

@MainActor private func scene(_ name: String = "one") -> UIWindowScene {
  UIWindowScene(session: UISceneSession(persistentIdentifier: name))
}
@MainActor private func phone() -> UIView { UIView(frame: CGRect(x: 0, y: 0, width: 320, height: 480)) }
private let page = URL(string: "https://example.com/a")!
private let activityText =
  #"UserActivity(type: "read", title: nil, webpageURL: nil, referrerURL: nil, targetContentIdentifier: nil, userInfo: [:])"#
@MainActor private func activity() -> StandInUIKit.NSUserActivity { StandInUIKit.NSUserActivity(activityType: "read") }

/// `UISceneDelegate` and `UIWindowSceneDelegate`, callback by callback, and what scenes make of the program.
@MainActor
@Suite struct UIKitSceneTests {
  nonisolated private static let phases: [Case] = SceneStep.allCases.map { step in
    Case(step.selector, step.event, payload: "one") { step.happen(to: scene(), toldTo: $0) }
  }

  nonisolated private static let others: [Case] = [
    Case(
      "stateRestorationActivityForScene:", .sceneStateRestoration, payload: "one", answer: UserActivity(type: "read"),
      reply: "read"
    ) {
      $0.stateRestorationActivity(for: scene())?.activityType ?? "none"
    },
    Case("scene:restoreInteractionStateWithUserActivity:", .restoreSceneState, payload: activityText) {
      $0.scene(scene(), restoreInteractionStateWith: activity())
    },
    Case("scene:willContinueUserActivityWithType:", .willContinueUserActivity, payload: "read") {
      $0.scene(scene(), willContinueUserActivityWithType: "read")
    },
    Case(
      "scene:didFailToContinueUserActivityWithType:error:", .didFailToContinueUserActivity,
      payload: #"UserActivityFailure(type: "read", error: broken)"#
    ) { $0.scene(scene(), didFailToContinueUserActivityWithType: "read", error: Broken()) },
    Case("scene:didUpdateUserActivity:", .didUpdateUserActivity, payload: activityText) {
      $0.scene(scene(), didUpdate: activity())
    },
    Case(
      "supportedInterfaceOrientationsForWindowScene:", .supportedInterfaceOrientations, payload: "Optional(one)",
      answer: .landscape, reply: "24"
    ) { "\($0.supportedInterfaceOrientations(for: scene()).rawValue)" },
  ]

  // Either form is heard for either event.
  nonisolated private static let geometry: [Case] = [
    Case(
      "windowScene:didUpdateEffectiveGeometry:", .sceneGeometryDidChange,
      payload:
        "SceneGeometry(scene: one, width: 320.0, height: 480.0, orientation: TaskKit.InterfaceOrientation.portrait, isBeingResized: true)"
    ) {
      let scene = scene()
      scene.effectiveGeometry = UIWindowScene.Geometry(in: phone(), isInteractivelyResizing: true)
      $0.windowScene(scene, didUpdateEffectiveGeometry: UIWindowScene.Geometry(in: phone()))
    },
    Case(
      "windowScene:didUpdateCoordinateSpace:interfaceOrientation:traitCollection:", .didChangeStatusBarOrientation,
      payload: "landscapeRight"
    ) {
      // The second time something else has changed.
      for orientation in [UIInterfaceOrientation.landscapeRight, .portrait] {
        $0.windowScene(
          scene(), didUpdate: phone(), interfaceOrientation: orientation, traitCollection: UITraitCollection())
      }
    },
  ]

  // A scene is connected for them as well.
  nonisolated private static let connecting: [Case] = [
    Case(
      "scene:openURLContexts:", .openURL,
      payload:
        #"OpenURLRequest(url: https://example.com/a, sourceApplication: Optional("other"), opensInPlace: true, scene: Optional(one))"#
    ) {
      let options = UIScene.OpenURLOptions(sourceApplication: "other", openInPlace: true)
      $0.scene(scene(), openURLContexts: [UIOpenURLContext(url: page, options: options)])
    },
    Case("scene:continueUserActivity:", .continueUserActivity, payload: activityText) {
      $0.scene(scene(), continue: activity())
    },
    Case(
      "windowScene:performActionForShortcutItem:completionHandler:", .performShortcut,
      payload: #"ShortcutItem(type: "new", title: "New", subtitle: nil, userInfo: [:])"#, answer: true, reply: "true"
    ) { delegate in
      let item = UIApplicationShortcutItem(type: "new", localizedTitle: "New", userInfo: nil)
      return Case.answers { delegate.windowScene(scene(), performActionFor: item, completionHandler: $0) }
    },
    Case(
      "windowScene:userDidAcceptCloudKitShareWithMetadata:", .userDidAcceptCloudKitShare,
      payload: "invitation to a share in iCloud.notes"
    ) {
      $0.windowScene(
        scene(), userDidAcceptCloudKitShareWith: CKShare.Metadata(containerIdentifier: "iCloud.notes"))
    },
  ]

  private static let connect = "scene:willConnectToSession:options:"

  private func answered(_ callback: Case) throws -> [String] {
    try TestCenter.$current.withValue(TaskCenter.with([callback.task(Recorder())])) {
      let delegate = SceneDelegate()
      return UIKitCallbacks.scene.all.map(\.selector).filter { delegate.responds(to: Selector($0)) }
    }
  }

  @Test(arguments: phases + others + geometry + connecting)
  private func `each callback of a scene is an event with its payload and its reply`(_ callback: Case) throws {
    let notes = Recorder()
    let center = try TaskCenter.with([callback.task(notes)])
    TestCenter.$current.withValue(center) {
      let delegate = SceneDelegate()
      // Or else the system would not call it.
      #expect(delegate.responds(to: Selector(callback.selector)))
      #expect(callback.call(delegate) == callback.reply)
    }
    #expect(notes.notes == [callback.payload])
  }

  @Test(arguments: phases + others)
  private func `a scene responds to what is subscribed and to nothing else`(_ callback: Case) throws {
    #expect(try answered(callback) == [callback.selector])
  }

  @Test(arguments: connecting)
  private func `what a scene may be connected for is heard of when it is`(_ callback: Case) throws {
    #expect(try answered(callback) == [Self.connect, callback.selector])
  }

  @Test(arguments: geometry)
  private func `who wants to hear of a scene's size or of its turns gets either form of telling`(_ callback: Case)
    throws
  {
    #expect(try answered(callback) == Self.geometry.map(\.selector))
  }

  @Test func `a change of a scene is told once, in whichever forms the system tells it`() throws {
    let notes = Recorder()
    let center = try TaskCenter.with([
      .event(.sceneGeometryDidChange, name: "size") { @MainActor in
        notes.note("\($0.payload.orientation) \($0.payload.width)")
      },
      .event(.didChangeStatusBarOrientation, name: "turn") { @MainActor in notes.note("from \($0.payload)") },
    ])
    TestCenter.$current.withValue(center) {
      let scene = scene()
      let delegate = SceneDelegate()
      @MainActor func change(to geometry: UIWindowScene.Geometry) {
        let old = scene.effectiveGeometry
        scene.effectiveGeometry = geometry
        delegate.windowScene(
          scene, didUpdate: old.coordinateSpace, interfaceOrientation: old.interfaceOrientation,
          traitCollection: UITraitCollection())
        delegate.windowScene(scene, didUpdateEffectiveGeometry: old)
      }
      change(to: UIWindowScene.Geometry(.landscapeLeft, in: phone()))
      change(to: UIWindowScene.Geometry(.landscapeLeft, in: UIView()))
      change(to: UIWindowScene.Geometry(.landscapeLeft, in: UIView()))
      change(to: UIWindowScene.Geometry(.portrait, in: phone()))
    }
    #expect(
      notes.notes == [
        "landscapeLeft 320.0", "from portrait", "landscapeLeft 0.0", "portrait 320.0", "from landscapeLeft",
      ])
  }

  @Test func `a change of the traits alone is no change of the geometry, from the first one on`() throws {
    let notes = Recorder()
    let center = try TaskCenter.with([
      .event(.sceneGeometryDidChange, name: "size") { @MainActor in notes.note("\($0.payload.orientation)") }
    ])
    TestCenter.$current.withValue(center) {
      let scene = scene()
      let delegate = SceneDelegate()
      @MainActor func change(from old: UIWindowScene.Geometry) {
        delegate.windowScene(
          scene, didUpdate: old.coordinateSpace, interfaceOrientation: old.interfaceOrientation,
          traitCollection: UITraitCollection())
        delegate.windowScene(scene, didUpdateEffectiveGeometry: old)
      }
      scene.effectiveGeometry = UIWindowScene.Geometry(in: phone())
      change(from: scene.effectiveGeometry)
      notes.note("dark")
      scene.effectiveGeometry = UIWindowScene.Geometry(.landscapeLeft, in: phone())
      change(from: UIWindowScene.Geometry(in: phone()))
      change(from: scene.effectiveGeometry)
    }
    #expect(notes.notes == ["dark", "landscapeLeft"])
  }

  @Test(arguments: [LifecycleEvent.willEnterForeground, .didBecomeActive, .willResignActive, .didEnterBackground])
  func `who wants one step of the program gets every step of the scenes`(_ event: LifecycleEvent<Void, Void>) throws {
    let center = try TaskCenter.with([.event(event, name: "task") { _ in }])
    TestCenter.$current.withValue(center) {
      let delegate = SceneDelegate()
      for callback in Self.phases { #expect(delegate.responds(to: Selector(callback.selector))) }
      #expect(!delegate.responds(to: Selector(Self.connect)))
    }
  }

  @Test func `the table has a row for every callback of a scene`() {
    let rows = Self.phases + Self.others + Self.geometry + Self.connecting
    #expect(UIKitCallbacks.scene.all.map(\.selector).sorted() == ([Self.connect] + rows.map(\.selector)).sorted())
  }

  @Test func `a scene that is connected says what for`() throws {
    let notes = Recorder()
    let center = try TaskCenter.with([
      .event(.sceneWillConnect, name: "connect") { @MainActor context in
        let response = context.payload.notificationResponse
        notes.note("\(response?.action ?? "nothing") \(response?.notification.title ?? "nothing")")
        var connection = context.payload
        connection.notificationResponse = nil
        notes.note("\(connection)")
      },
      .event(.openURL, name: "open") { @MainActor context in notes.note("\(context.payload.url)") },
      .event(.continueUserActivity, name: "continue") { @MainActor context in notes.note(context.payload.type) },
      .event(.performShortcut, name: "shortcut") { @MainActor context in notes.note(context.payload.type) },
      .event(.userDidAcceptCloudKitShare, name: "accept") { @MainActor context in
        notes.note(context.payload.metadata?.containerIdentifier ?? "nothing")
      },
    ])
    TestCenter.$current.withValue(center) {
      let options = UIScene.ConnectionOptions()
      options.sourceApplication = "other"
      options.handoffUserActivityType = "write"
      options.urlContexts = ["c", "a", "b"].reduce(into: []) {
        $0.insert(UIOpenURLContext(url: URL(string: "app:\($1)")!))
      }
      options.userActivities = [activity()]
      options.shortcutItem = UIApplicationShortcutItem(type: "new", localizedTitle: "New", userInfo: nil)
      options.cloudKitShareMetadata = CKShare.Metadata(containerIdentifier: "iCloud.notes")
      options.notificationResponse = UNNotificationResponse(
        notification: UNNotification(
          date: Date(timeIntervalSince1970: 60),
          request: UNNotificationRequest(
            identifier: "tea", content: UNNotificationContent(title: "Tea", body: "is ready", userInfo: [:]))),
        actionIdentifier: "drink")
      let delegate = SceneDelegate()
      #expect(delegate.responds(to: Selector(Self.connect)))
      let scene = scene()
      delegate.scene(scene, willConnectTo: scene.session, options: options)
    }
    #expect(
      notes.notes == [
        "drink Tea",
        #"SceneConnection(scene: one, role: "UIWindowSceneSessionRoleApplication", sourceApplication: Optional("other"), handoffActivityType: Optional("write"), notificationResponse: nil)"#,
        "app:a", "app:b", "app:c", "read", "new", "iCloud.notes",
      ])
  }

  @Test func `a scene without a task that knows what to bring it back with is brought back with nothing`() {
    TestCenter.$current.withValue(TaskCenter()) {
      #expect(SceneDelegate().stateRestorationActivity(for: scene()) == nil)
    }
  }

  // MARK: - Coming and going

  nonisolated private static let program: [LifecycleEvent<Void, Void>] = [
    .willEnterForeground, .didBecomeActive, .willResignActive, .didEnterBackground,
  ]

  /// Every choice of the events of scenes and program, by name.
  nonisolated private static let choices: [Set<String>] = {
    let names = SceneStep.allCases.map(\.event.name) + program.map(\.name)
    return (0..<1 << names.count).map { bits in
      Set(names.indices.filter { bits >> $0 & 1 == 1 }.map { names[$0] })
    }
  }()

  /// What tasks hear of the lives of scenes.
  ///
  /// - Parameter wanted: the events that have a task, by name.
  private func heard(of life: [(scene: String, step: SceneStep)], wanted: Set<String>) throws -> [String] {
    let notes = Recorder()
    let own = SceneStep.allCases.map(\.event).filter { wanted.contains($0.name) }
    let program = Self.program.filter { wanted.contains($0.name) }
    let center = try TaskCenter.with(
      own.map { event in
        .event(event, name: TaskName(event.name)) { @MainActor in notes.note("\($0.payload) \(event.name)") }
      }
        + program.map { event in
          .event(event, name: TaskName(event.name)) { @MainActor _ in notes.note(event.name) }
        })
    TestCenter.$current.withValue(center) {
      var scenes: [String: (scene: UIScene, delegate: SceneDelegate)] = [:]
      for (name, step) in life {
        let known = scenes[name] ?? (scene(name), SceneDelegate())
        scenes[name] = known
        step.happen(to: known.scene, toldTo: known.delegate)
      }
    }
    return notes.notes
  }

  /// Of all that happens, a task hears what it is for, whatever others there are.
  private func expect(_ whole: [String], of life: [(scene: String, step: SceneStep)]) throws {
    for wanted in Self.choices {
      let expected = whole.filter { note in wanted.contains { note == $0 || note.hasSuffix(" \($0)") } }
      #expect(try heard(of: life, wanted: wanted) == expected, "\(wanted.sorted())")
    }
  }

  @Test func `each step of a scene is heard as often as it happens, whichever steps have tasks`() throws {
    let life = [
      "willEnterForeground", "one sceneWillEnterForeground", "didBecomeActive", "one sceneDidBecomeActive",
      "one sceneWillResignActive", "willResignActive", "one sceneDidEnterBackground", "didEnterBackground",
    ]
    try expect(
      life + life + ["one sceneDidDisconnect"],
      of: (SceneStep.life + SceneStep.life + [.didDisconnect]).map { ("one", $0) })
  }

  @Test func `the program is as active as its most active scene`() throws {
    let opening: [SceneStep] = [.willEnterForeground, .didBecomeActive]
    let life: [(scene: String, step: SceneStep)] =
      opening.map { ("one", $0) } + opening.map { ("two", $0) }
      + [("one", .willResignActive), ("one", .didEnterBackground), ("two", .willResignActive)]
    let heard = [
      "willEnterForeground", "one sceneWillEnterForeground", "didBecomeActive", "one sceneDidBecomeActive",
      "two sceneWillEnterForeground", "two sceneDidBecomeActive", "one sceneWillResignActive",
      "one sceneDidEnterBackground", "two sceneWillResignActive", "willResignActive",
    ]
    // From one scene to the other, and the other's end.
    let passing: [(scene: String, step: SceneStep)] = [
      ("one", .willEnterForeground), ("one", .didBecomeActive), ("one", .willResignActive), ("two", .didBecomeActive),
      ("one", .didEnterBackground), ("two", .willResignActive),
    ]
    let heardOfPassing = [
      "one sceneWillEnterForeground", "didBecomeActive", "one sceneDidBecomeActive", "one sceneWillResignActive",
      "willResignActive", "didBecomeActive", "two sceneDidBecomeActive", "one sceneDidEnterBackground",
      "two sceneWillResignActive", "willResignActive",
    ]
    try expect(
      heard + ["two sceneDidEnterBackground", "didEnterBackground"] + heard + heardOfPassing
        + ["two sceneDidDisconnect", "didEnterBackground"],
      of: life + [("two", .didEnterBackground)] + life + passing + [("two", .didDisconnect)])
  }

  @Test(arguments: [
    (SceneStep.willEnterForeground, ["willEnterForeground", "willEnterForeground"]),
    // An active program is in the foreground.
    (.didBecomeActive, ["willEnterForeground", "didBecomeActive", "didBecomeActive"]),
    (.willResignActive, ["willResignActive", "willResignActive"]),
    (.didEnterBackground, ["didEnterBackground", "didEnterBackground"]),
  ])
  func `a step that alone has a task moves the program in its direction, each time`(
    _ step: SceneStep, _ program: [String]
  ) async throws {
    let center = try TaskCenter.with([.event(step.event, name: "task") { _ in }])
    let recorder = EventRecorder(center)
    TestCenter.$current.withValue(center) {
      let (scene, delegate) = (scene(), SceneDelegate())
      for step in SceneStep.life + SceneStep.life { step.happen(to: scene, toldTo: delegate) }
    }
    await center.send(.reload)
    let started = await recorder.words(until: "eventStarted reload").compactMap { words in
      words.hasPrefix("eventStarted ") ? String(words.dropFirst(13)) : nil
    }
    #expect(started.filter { $0.hasPrefix("scene") } == [step.event.name, step.event.name])
    #expect(started.filter { !$0.hasPrefix("scene") } == program + ["reload"])
  }
}
#endif
