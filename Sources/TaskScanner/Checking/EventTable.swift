import TaskGraph

/// The events that modules declare, in extensions and in annotations, with what TaskKit itself declares.
struct EventTable {
  /// By number: the members of each module, then what its annotations make.
  private let events: [ScannedEvent]
  /// By member: the numbers of the events.
  private var declared: [String: [Int]] = [:]
  private(set) var problems: [Problem] = []

  /// The type whose static members are events.
  static let type = "LifecycleEvent"

  /// How a source may write the type, and `.` alone.
  static let types = [[type], ["TaskKit", type], [""]]

  init(_ modules: [ScannedModule], _ known: KnownTypes) {
    events = modules.flatMap { module in module.events + module.tasks.flatMap(\.events) }
    for (number, event) in events.enumerated() {
      if let member = event.member { declared[member, default: []].append(number) }
    }
    let uses = uses(by: modules.flatMap(\.tasks))
    var namesakes: [String: Namesakes] = [:]
    for (number, event) in events.enumerated() {
      guard let name = event.name else { continue }
      let uses = uses[number, default: []]
      // Not kept in a variable: then each addition would copy it.
      if let problem = Self.conflict(
        of: event, named: name, uses, with: namesakes[name, default: Namesakes()], known)
      {
        problems.append(problem)
      }
      // As in the program it is a mistake of the tasks.
      if !uses.isEmpty, event.options.contradictsItself { problems.append(.contradictingOptions(event, name: name)) }
      namesakes[name, default: Namesakes()].add(event, uses)
    }
  }

  /// The event that a task names by its member.
  func resolve(_ occasion: Occasion, in task: ScannedTask) -> Occasion { follow(occasion, in: task).occasion }

  /// The event that a task names by its member, and its number where a module declares it with a name that can be read.
  private func follow(_ occasion: Occasion, in task: ScannedTask) -> (occasion: Occasion, number: Int?) {
    guard case .event(let name) = occasion, name.hasPrefix(".") else { return (occasion, nil) }
    var member = String(name.dropFirst())
    var viewer = (module: task.module, file: task.file)
    // A member may stand for another one; a circle of them does not compile.
    for _ in 0..<16 {
      guard let numbers = visible(member, in: viewer) else { break }
      // The module's own one hides those of others; of the branches of one '#if', the task's.
      let number =
        numbers.first { events[$0].module == task.module && !events[$0].conditions.exclude(task.conditions) }
        ?? numbers.first { !events[$0].conditions.exclude(task.conditions) } ?? numbers[0]
      if let name = events[number].name { return (.event(name), number) }
      guard let alias = events[number].alias else {
        // It is not TaskKit's own of that name.
        return (.event(Self.known[member] == nil ? member : task.module + "." + member), nil)
      }
      member = alias
      viewer = (events[number].module, events[number].scope.file)
    }
    return (.event(member), nil)
  }

  /// The event that a task means, and what that is told beside its name; nil where it differs from build to build, or the
  /// sources do not tell.
  func certain(
    _ reference: ScannedTask.EventReference, in task: ScannedTask
  ) -> (name: String, options: EventOptions)? {
    guard case .event(let name) = reference.occasion else { return nil }
    guard name.hasPrefix(".") else { return (name, reference.options) }
    var member = String(name.dropFirst())
    var viewer = (module: task.module, file: task.file)
    // A circle of members does not compile.
    for _ in 0..<16 {
      guard let numbers = visible(member, in: viewer) else {
        guard Self.known[member] != nil else { return nil }
        return (member, Self.knownOptions[member] ?? EventOptions())
      }
      // Which of TaskKit's own and another of that name is meant, their types or the imports tell.
      guard Self.known[member] == nil else { return nil }
      let possible = numbers.map { events[$0] }.filter { !$0.conditions.exclude(task.conditions) }
      let own = possible.filter { $0.module == task.module }
      let candidates = own.isEmpty ? possible : own
      guard let first = candidates.first,
        candidates.allSatisfy({ $0.name == first.name && $0.alias == first.alias && $0.options == first.options })
      else { return nil }
      if let name = first.name { return (name, first.options) }
      guard let alias = first.alias else { return nil }
      member = alias
      viewer = (first.module, first.scope.file)
    }
    return nil
  }

  /// The events that a member may be where a file names it, by number; nil if there are none. A private one is there for its
  /// own file alone.
  private func visible(_ member: String, in viewer: (module: String, file: Int)) -> [Int]? {
    let numbers = declared[member, default: []].filter { number in
      let event = events[number]
      return !event.isHidden || (event.module == viewer.module && event.scope.file == viewer.file)
    }
    return numbers.isEmpty ? nil : numbers
  }

  // MARK: - Agreement

  /// An event at which a task runs.
  private struct Use {
    let event: ScannedEvent
    /// Those of the event and of the task.
    let conditions: [ScannedTask.Condition]
  }

  /// By the number of an event: the tasks that run at it. What a burst does, these have to agree on; who sends an event
  /// says that for the sending alone.
  private func uses(by tasks: [ScannedTask]) -> [Int: [Use]] {
    var uses: [Int: [Use]] = [:]
    for (number, event) in events.enumerated() where event.member == nil {
      uses[number] = [Use(event: event, conditions: event.conditions)]
    }
    for task in tasks {
      for number in task.occasions.compactMap({ follow($0, in: task).number }) {
        let event = events[number]
        uses[number, default: []].append(Use(event: event, conditions: event.conditions + task.conditions))
      }
    }
    return uses
  }

  /// The events of one name that were found before. Many tasks may make one event: what says the same in the same words is
  /// one group, and of a group that agrees with an event nothing else is compared.
  private struct Namesakes {
    private(set) var groups: [[ScannedEvent]] = []
    /// By what they do with a burst.
    private(set) var uses: [[Use]] = []

    mutating func add(_ event: ScannedEvent, _ more: [Use]) {
      if let group = groups.firstIndex(where: { event.saysTheSame(as: $0[0]) }) {
        groups[group].append(event)
      } else {
        groups.append([event])
      }
      guard !more.isEmpty else { return }
      if let group = uses.firstIndex(where: { $0[0].event.options.burst == event.options.burst }) {
        uses[group] += more
      } else {
        uses.append(more)
      }
    }
  }

  private static func conflict(
    of event: ScannedEvent, named name: String, _ uses: [Use], with others: Namesakes, _ known: KnownTypes
  ) -> Problem? {
    conflict(of: event, named: name, isUsed: !uses.isEmpty, known)
      ?? conflict(of: event, named: name, with: others, known) ?? burstConflict(of: uses, named: name, with: others)
  }

  /// With TaskKit's own event of that name.
  private static func conflict(
    of event: ScannedEvent, named name: String, isUsed: Bool, _ known: KnownTypes
  ) -> Problem? {
    guard let types = Self.known[name] else { return nil }
    if areDifferent(event, payload: types.payload, reply: types.reply, nil, known) {
      return .eventConflict(event, name: name, payload: types.payload, reply: types.reply)
    }
    let options = knownOptions[name] ?? EventOptions()
    if event.options.hasOtherCount(than: options) { return .countConflict(event, name: name) }
    return isUsed && event.options.hasOtherBurst(than: options)
      ? .burstConflict(event, name: name, burst: options.burst) : nil
  }

  /// With the events of that name that were found before.
  private static func conflict(
    of event: ScannedEvent, named name: String, with others: Namesakes, _ known: KnownTypes
  ) -> Problem? {
    /// Of the groups that may say something else, the first event that does, and that a build has together with this one.
    func first(
      in groups: [[ScannedEvent]], where isOther: (ScannedEvent) -> Bool = { _ in true }
    ) -> ScannedEvent? {
      groups.joined().first { !$0.conditions.exclude(event.conditions) && isOther($0) }
    }
    let groups = others.groups.filter { !event.saysTheSame(as: $0[0]) }
    let otherTypes = groups.filter { !mayBeSame(event, payload: $0[0].payload, reply: $0[0].reply) }
    if let other = first(
      in: otherTypes, where: { areDifferent(event, payload: $0.payload, reply: $0.reply, $0.scope, known) })
    {
      return .eventConflict(event, other, name: name)
    }
    let otherCounts = groups.filter { event.options.hasOtherCount(than: $0[0].options) }
    return first(in: otherCounts).map { .countConflict(event, $0, name: name) }
  }

  /// Of an event with other events of that name, at all of which tasks run.
  private static func burstConflict(of uses: [Use], named name: String, with others: Namesakes) -> Problem? {
    guard let event = uses.first?.event else { return nil }
    let groups = others.uses.filter { event.options.hasOtherBurst(than: $0[0].event.options) }
    for other in groups.joined() where uses.contains(where: { !$0.conditions.exclude(other.conditions) }) {
      return .burstConflict(event, other.event, name: name)
    }
    return nil
  }

  /// Whether the types are two, as far as the sources tell: `Shop.Order` and `Order` may be one. Where they do not, the
  /// program compares the types themselves.
  ///
  /// - Parameter scope: of the other event; nil for one of TaskKit's own.
  private static func areDifferent(
    _ event: ScannedEvent, payload: String, reply: String, _ scope: NameScope?, _ known: KnownTypes
  ) -> Bool {
    [(event.payload, payload), (event.reply, reply)].contains { first, second in
      guard !mayBeSame(first, second) else { return false }
      guard let first = unaliased(first, in: event.scope, known), let second = unaliased(second, in: scope, known)
      else {
        return false
      }
      return !mayBeSame(first, second)
    }
  }

  /// Whether the types may be one by their words alone.
  private static func mayBeSame(_ event: ScannedEvent, payload: String, reply: String) -> Bool {
    mayBeSame(event.payload, payload) && mayBeSame(event.reply, reply)
  }

  /// Whether two types may be one, however each is written.
  static func mayBeSame(_ first: String, _ second: String) -> Bool {
    let (first, second) = (normalized(first), normalized(second))
    if first.isEmpty || second.isEmpty || first == second { return true }
    if first.hasSuffix("." + second) || second.hasSuffix("." + first) { return true }
    for beginning in ["Optional<", "Array<"] where first.hasPrefix(beginning) && second.hasPrefix(beginning) {
      let inner = [first, second].map { String($0.dropFirst(beginning.count).dropLast()) }
      return mayBeSame(inner[0], inner[1])
    }
    // One type may be written in several ways, unless one of them is a name.
    return !isPath(first) && !isPath(second)
  }

  private static func isPath(_ type: String) -> Bool {
    type.allSatisfy { $0.isLetter || $0.isNumber || $0 == "_" || $0 == "." }
  }

  /// What is behind the aliases in a type; nil where the sources do not tell.
  private static func unaliased(_ type: String, in scope: NameScope?, _ known: KnownTypes) -> String? {
    guard var scope else { return type }
    let source = SourceText(path: "", type)
    var path = TypePath.read(SourceSpan(start: 0, end: source.count), of: source)
    guard path.isPlain, !path.hasGenericArguments else {
      return mayMeanAnother(source, in: scope, known) ? nil : type
    }
    // Aliases in a circle do not compile, but the tool runs before the compiler.
    for _ in 0..<16 {
      switch known.target(of: path, in: scope) {
      case .none where !isKnown(path, in: scope, known): return nil
      case .none: return path.names.joined(separator: ".")
      // Which of the two is nearer, only the compiler follows.
      case .one where !known.types(path, in: scope).isEmpty: return nil
      case .one(let target, let next) where !target.hasGenericArguments: (path, scope) = (target, next)
      case .one, .unknown: return nil
      }
    }
    return nil
  }

  /// Whether a name in a type that is written as more than a path may stand for something else than a known type.
  private static func mayMeanAnother(_ type: SourceText, in scope: NameScope, _ known: KnownTypes) -> Bool {
    let tokens = SourceExpression(SourceSpan(start: 0, end: type.count), of: type).tokens
    // `[A.B: C]`
    let paths = tokens.split { ![.word, .escapedWord, .period, .colonColon].contains($0.kind) }
    return paths.contains { path in
      guard let first = path.first, let last = path.last else { return false }
      let path = TypePath.read(SourceSpan(start: first.start, end: last.end), of: type)
      return path.plainNames.contains(where: known.mayBeAlias) || !isKnown(path, in: scope, known)
    }
  }

  /// Whether the sources tell which type is meant: a module that is not scanned may declare an alias of anything, and what
  /// is inherited from elsewhere they do not show.
  private static func isKnown(_ path: TypePath, in scope: NameScope, _ known: KnownTypes) -> Bool {
    var path = path
    if let first = path.names.first { path.names[0] = withoutAny(first) }
    return known.isStandard(path) || !known.types(path, in: scope).isEmpty
  }

  /// Without spaces and the language's shorthands.
  private static func normalized(_ type: String) -> String {
    var type = type.replacing("::", with: ".").filter { !$0.isWhitespace && $0 != "`" }
    if type == "()" { return "Void" }
    // `(any Error)`, and what Swift 5 lets one write without that word.
    if type.hasPrefix("("), type.hasSuffix(")"), !type.dropFirst().dropLast().contains(where: "(),".contains) {
      type = String(type.dropFirst().dropLast())
    }
    type = withoutAny(type)
    if let other = commonAliases[type] { return other }
    if type.hasSuffix("?") { return "Optional<\(normalized(String(type.dropLast())))>" }
    if type.hasPrefix("["), type.hasSuffix("]"), !type.contains(":"), !type.dropFirst().dropLast().contains("]") {
      return "Array<\(normalized(String(type.dropFirst().dropLast())))>"
    }
    return type
  }

  /// `anyError`, where white space is left out.
  private static func withoutAny(_ type: String) -> String {
    type.hasPrefix("any") && type.dropFirst(3).first?.isUppercase == true ? String(type.dropFirst(3)) : type
  }

  /// Aliases of libraries that are not scanned.
  private static let commonAliases = [
    "TimeInterval": "Double", "Float64": "Double", "Float32": "Float", "CDouble": "Double", "CFloat": "Float",
    "CInt": "Int32", "CLong": "Int", "CBool": "Bool", "CChar": "Int8", "CSignedChar": "Int8", "CUnsignedChar": "UInt8",
    "CShort": "Int16", "CUnsignedShort": "UInt16", "CUnsignedInt": "UInt32", "CUnsignedLong": "UInt",
    "CLongLong": "Int64",
    "CUnsignedLongLong": "UInt64", "NSNotification.Name": "Notification.Name", "UnicodeScalar": "Unicode.Scalar",
  ]

  /// Those of TaskKit's own events that do not happen repeatedly, or do something else with a burst than to queue it.
  private static let knownOptions = [
    "willFinishLaunching": EventOptions(isOnce: true), "didFinishLaunching": EventOptions(isOnce: true),
    "reload": EventOptions(burst: "coalesce"), "willUpdateWindows": EventOptions(burst: "coalesce"),
    "didUpdateWindows": EventOptions(burst: "coalesce"),
  ]

  /// What one of TaskKit's own events carries, by its member.
  static func payload(of member: String) -> String? { known[member]?.payload }

  /// The types that TaskKit's own events carry.
  static let payloads = Set(known.values.map(\.payload))

  /// TaskKit's own events are not scanned, since TaskKit's sources hold no tasks.
  private static let known: [String: (payload: String, reply: String)] = {
    var events: [String: (payload: String, reply: String)] = [
      "willFinishLaunching": ("LaunchOptions", "Void"), "didFinishLaunching": ("LaunchOptions", "Void"),
      "openURL": ("OpenURLRequest", "Bool"),
      "willChangeStatusBarOrientation": ("InterfaceTurn", "Void"),
      "didChangeStatusBarOrientation": ("InterfaceOrientation", "Void"), "occlusionStateDidChange": ("Bool", "Void"),
      "shouldHandleReopen": ("Bool", "Bool"), "shouldAllowExtensionPoint": ("String", "Bool"),
      "willContinueUserActivity": ("String", "Bool"), "printFiles": ("PrintRequest", "Bool"),
      "continueUserActivity": ("UserActivity", "Bool"), "didUpdateUserActivity": ("UserActivity", "Void"),
      "restoreSceneState": ("UserActivity", "Void"), "didFailToContinueUserActivity": ("UserActivityFailure", "Void"),
      "performShortcut": ("ShortcutItem", "Bool"), "didRegisterForRemoteNotifications": ("Data", "Void"),
      "didFailToRegisterForRemoteNotifications": ("any Error", "Void"),
      "didRegisterNotificationSettings": ("NotificationKinds", "Void"),
      "didReceiveLocalNotification": ("SystemNotification", "Void"),
      "didReceiveRemoteNotification": ("[String: PropertyValue]", "BackgroundFetchResult"),
      "willPresentNotification": ("SystemNotification", "NotificationPresentation"),
      "openNotificationSettings": ("SystemNotification?", "Void"),
      "didReceiveNotificationResponse": ("SystemNotificationResponse", "Void"),
      "performBackgroundFetch": ("Void", "BackgroundFetchResult"), "handleBackgroundURLSession": ("String", "Void"),
      "sceneWillConnect": ("SceneConnection", "Void"), "didDiscardScenes": ("[SceneIdentifier]", "Void"),
      "sceneStateRestoration": ("SceneIdentifier", "UserActivity"),
      "sceneGeometryDidChange": ("SceneGeometry", "Void"), "willChangeStatusBarFrame": ("CGRect", "Void"),
      "didChangeStatusBarFrame": ("CGRect", "Void"), "willPresentError": ("any Error", "any Error"),
      "supportedInterfaceOrientations": ("SceneIdentifier?", "InterfaceOrientations"),
      "userDidAcceptCloudKitShare": ("CloudKitShareInvitation", "Void"),
      "handleWatchRequest": ("[String: PropertyValue]", "[String: PropertyValue]"),
    ]
    for name in [
      "willEnterForeground", "didEnterBackground", "didBecomeActive", "willResignActive", "didReceiveMemoryWarning",
      "willTerminate", "significantTimeChange", "backgroundRefreshStatusDidChange", "userDidTakeScreenshot", "idle",
      "willBecomeActive", "didResignActive", "willHide", "didUnhide", "willUpdateWindows", "didUpdateWindows",
      "screenParametersDidChange", "protectedDataWillBecomeUnavailable", "protectedDataDidBecomeAvailable",
      "shouldRequestHealthAuthorization", "reload",
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
