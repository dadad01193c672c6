import TaskGraph

/// The events that modules declare, by member, with what TaskKit itself declares.
struct EventTable {
  private var declared: [String: [ScannedEvent]] = [:]
  let problems: [Problem]

  init(_ modules: [ScannedModule]) {
    let events = modules.flatMap(\.events)
    for event in events { declared[event.member, default: []].append(event) }
    var byName: [String: [ScannedEvent]] = [:]
    var problems: [Problem] = []
    for event in events {
      guard let name = event.name else { continue }
      if let types = Self.known[name], !Self.agree(event, payload: types.payload, reply: types.reply) {
        problems.append(.eventConflict(event, name: name, payload: types.payload, reply: types.reply))
      } else if let other = byName[name]?.first(where: {
        !Self.agree(event, payload: $0.payload, reply: $0.reply) && !$0.conditions.exclude(event.conditions)
      }) {
        problems.append(.eventConflict(event, other))
      }
      byName[name, default: []].append(event)
    }
    self.problems = problems
  }

  /// The event that a task names by its member.
  func resolve(_ occasion: Occasion, in task: ScannedTask) -> Occasion {
    guard case .event(let name) = occasion, name.hasPrefix(".") else { return occasion }
    var member = String(name.dropFirst())
    // A member may stand for another one; a circle of them does not compile.
    for _ in 0..<16 {
      guard let events = declared[member] else { break }
      // The module's own one hides those of others; of the branches of one '#if', the task's.
      let event =
        events.first { $0.module == task.module && !$0.conditions.exclude(task.conditions) }
        ?? events.first { !$0.conditions.exclude(task.conditions) } ?? events[0]
      if let name = event.name { return .event(name) }
      guard let alias = event.alias else { break }
      member = alias
    }
    return .event(member)
  }

  // MARK: - Agreement

  /// Whether the types are the same, as far as the text tells: `Shop.Order` and `Order` may be.
  private static func agree(_ event: ScannedEvent, payload: String, reply: String) -> Bool {
    isSame(event.payload, payload) && isSame(event.reply, reply)
  }

  private static func isSame(_ first: String, _ second: String) -> Bool {
    let first = normalized(first)
    let second = normalized(second)
    return first.isEmpty || second.isEmpty || first == second || first.hasSuffix("." + second)
      || second.hasSuffix("." + first)
  }

  /// Without spaces and the language's shorthands.
  private static func normalized(_ type: String) -> String {
    let type = type.replacing("::", with: ".").filter { !$0.isWhitespace }
    if type == "()" { return "Void" }
    if type.hasSuffix("?") { return "Optional<\(normalized(String(type.dropLast())))>" }
    if type.hasPrefix("["), type.hasSuffix("]"), !type.contains(":"), !type.dropFirst().dropLast().contains("]") {
      return "Array<\(normalized(String(type.dropFirst().dropLast())))>"
    }
    return type
  }

  /// TaskKit's own events are not scanned, since TaskKit's sources hold no tasks.
  private static let known: [String: (payload: String, reply: String)] = {
    var events: [String: (payload: String, reply: String)] = [
      "willFinishLaunching": ("LaunchOptions", "Void"), "didFinishLaunching": ("LaunchOptions", "Void"),
      "openURL": ("OpenURLRequest", "Bool"),
      "willChangeStatusBarOrientation": ("InterfaceOrientation", "Void"),
      "didChangeStatusBarOrientation": ("InterfaceOrientation", "Void"), "occlusionStateDidChange": ("Bool", "Void"),
      "shouldHandleReopen": ("Bool", "Bool"), "shouldAllowExtensionPoint": ("String", "Bool"),
      "willContinueUserActivity": ("String", "Bool"), "printFiles": ("[URL]", "Bool"),
      "continueUserActivity": ("UserActivity", "Bool"), "didUpdateUserActivity": ("UserActivity", "Void"),
      "restoreSceneState": ("UserActivity", "Void"), "didFailToContinueUserActivity": ("UserActivityFailure", "Void"),
      "performShortcut": ("ShortcutItem", "Bool"), "didRegisterForRemoteNotifications": ("Data", "Void"),
      "didFailToRegisterForRemoteNotifications": ("any Error", "Void"),
      "didRegisterNotificationSettings": ("NotificationKinds", "Void"),
      "didReceiveLocalNotification": ("SystemNotification", "Void"),
      "didReceiveRemoteNotification": ("[String: PropertyValue]", "BackgroundFetchResult"),
      "willPresentNotification": ("SystemNotification", "NotificationPresentation"),
      "didReceiveNotificationResponse": ("SystemNotificationResponse", "Void"),
      "performBackgroundFetch": ("Void", "BackgroundFetchResult"), "handleBackgroundURLSession": ("String", "Void"),
      "sceneWillConnect": ("SceneConnection", "Void"), "didDiscardScenes": ("[SceneIdentifier]", "Void"),
      "sceneStateRestoration": ("SceneIdentifier", "UserActivity"),
      "sceneGeometryDidChange": ("SceneGeometry", "Void"), "willChangeStatusBarFrame": ("CGRect", "Void"),
      "didChangeStatusBarFrame": ("CGRect", "Void"), "willPresentError": ("any Error", "any Error"),
      "handleWatchRequest": ("[String: PropertyValue]", "[String: PropertyValue]"),
    ]
    for name in [
      "willEnterForeground", "didEnterBackground", "didBecomeActive", "willResignActive", "didReceiveMemoryWarning",
      "willTerminate", "significantTimeChange", "backgroundRefreshStatusDidChange", "userDidTakeScreenshot", "idle",
      "willBecomeActive", "didResignActive", "willHide", "didUnhide", "willUpdateWindows", "didUpdateWindows",
      "screenParametersDidChange", "protectedDataWillBecomeUnavailable", "protectedDataDidBecomeAvailable",
      "shouldRequestHealthAuthorization", "openNotificationSettings",
      "reload",
    ] { events[name] = ("Void", "Void") }
    for name in [
      "shouldTerminate", "shouldTerminateAfterLastWindowClosed", "shouldOpenUntitledFile", "openUntitledFile",
      "shouldSaveState", "shouldRestoreState", "supportsSecureRestorableState", "shouldLocalizeKeyCommands",
    ] { events[name] = ("Void", "Bool") }
    for name in [
      "sceneDidDisconnect", "sceneWillEnterForeground", "sceneDidBecomeActive", "sceneWillResignActive",
      "sceneDidEnterBackground",
    ] { events[name] = ("SceneIdentifier", "Void") }
    return events
  }()
}
