import TaskGraph

/// Reads the arguments of an annotation. What it cannot read the checks refuse, so nothing is reported here.
struct AnnotationReader {
  private let arguments: [SourceArgument]
  private let file: FileReader

  init(_ attribute: AttributeDeclaration, in file: FileReader) {
    arguments = file.arguments(of: attribute)
    self.file = file
  }

  func value(_ label: String) -> SourceExpression? {
    arguments.first { file.label(of: $0) == label }.map { file.expression($0.value) }
  }

  func place(_ offset: Int) -> SourcePlace { file.place(offset) }

  /// What `name:` says.
  var name: String? { value("name")?.plainString }

  /// What is done with a burst of a notification; nil where a computed value says it, and for that of one sender, since only
  /// the program knows which object is meant.
  var burst: String? {
    guard value("sender").map(\.isNil) ?? true else { return nil }
    return value("burst").map(file.burst) ?? EventOptions().burst
  }

  // MARK: - Occasions

  func occasions(_ kind: ScannedTask.Kind) -> [Occasion] {
    switch kind {
    case .event: events.map { .event(event($0)) }
    case .schedule: [.schedule]
    case .sequence: [.elements(arguments.first.map { "\(file.place($0.value.start))" } ?? "")]
    case .notification: [arguments.first.map { file.notification(file.expression($0.value)) } ?? .notification("")]
    }
  }

  /// What stands behind `event:`, or behind `events:` and in the arguments without a label that follow.
  private var events: [SourceExpression] {
    var events: [SourceExpression] = []
    var isList = false
    for argument in arguments {
      switch file.label(of: argument) {
      case "event": isList = false
      case "events": isList = true
      case nil where isList: break
      default:
        isList = false
        continue
      }
      events.append(file.expression(argument.value))
    }
    return events
  }

  /// The name that an initialiser is given, or, behind a point, the member, whose event is looked up later.
  private func event(_ value: SourceExpression) -> String {
    if let name = value.call?.arguments.first.flatMap({ file.expression($0.value).plainString }) { return name }
    return "." + (value.memberPath?.last ?? value.compactText)
  }

  /// The events of an annotation that lists several, without those that the checks refuse.
  var eventReferences: [ScannedTask.EventReference] {
    let events = events
    guard events.count > 1 else { return [] }
    return events.compactMap { value in
      let initial = file.initialValue(value, of: EventTable.types)
      guard let name = initial.name ?? initial.alias.map({ "." + $0 }) else { return nil }
      return .init(
        occasion: .event(name), options: initial.options, text: value.text, quotation: value.quotation,
        place: file.place(value.span.start))
    }
  }

  /// The events that the annotation makes itself, with what stands there of their types.
  func madeEvents(by task: ScannedTask) -> [ScannedEvent] {
    let scope = NameScope(
      module: task.module, file: task.file, surroundings: task.surroundings, imports: task.imports)
    return events.compactMap { value in
      let initial = file.initialValue(value, of: EventTable.types)
      guard let name = initial.name, let (callee, _) = value.call else { return nil }
      let types = file.eventTypes(between: callee) ?? ("", "")
      return ScannedEvent(
        member: nil, name: name, alias: nil, payload: types.payload, reply: types.reply, options: initial.options,
        place: file.place(value.span.start), scope: scope, typeScope: scope, conditions: task.conditions)
    }
  }

  /// The lane; nil for none, and for one that is computed.
  var lane: ScannedTask.LaneReference? {
    guard let value = value("lane") else { return nil }
    let initial = file.initialValue(value, of: NamedType.lane.spellings)
    if let name = NamedType.lane.name(of: initial) {
      return .named(name, file.place(value.call?.arguments.first?.value.start ?? value.span.start))
    }
    return initial.alias.map { .member($0) }
  }

  // MARK: - Order

  /// 500, the default, for what is only known at run time too: it makes no graph wrong.
  var priority: Int {
    guard let value = value("priority") else { return 500 }
    if let number = value.integer { return number }
    if let argument = value.call?.arguments.first { return file.expression(argument.value).integer ?? 500 }
    return switch value.memberPath?.last {
    case "critical": 1000
    case "high": 750
    case "low": 250
    default: 500
    }
  }

  var dependencies: [ScannedTask.TypeReference] {
    (value("dependencies")?.elements ?? []).compactMap { element in
      element.metatype.map { .init(path: $0.path, text: $0.text, place: file.place(element.span.start)) }
    }
  }

  /// The names that the compiler looks up where they stand, as the macro sees them: not behind a point or a module selector,
  /// and not in a closure. Those in `dependencies:` are references.
  var bareNames: [ScannedTask.BareName] {
    arguments.filter { !["dependencies", "after", "needs"].contains(file.label(of: $0)) }.flatMap { argument in
      let tokens = file.expression(argument.value).tokens
      var names: [ScannedTask.BareName] = []
      var braces = 0
      for (index, token) in tokens.enumerated() {
        if token.kind == .leftBrace { braces += 1 }
        if token.kind == .rightBrace { braces -= 1 }
        guard braces == 0, token.kind == .word || token.kind == .escapedWord else { continue }
        let before = index > 0 ? tokens[index - 1].kind : .comma
        let next = index + 1 < tokens.count ? tokens[index + 1].kind : .comma
        let isLabel = next == .colon && (before == .leftParen || before == .comma || before == .leftSquare)
        if [.period, .colonColon, .backslash, .pound].contains(before) || next == .colonColon || isLabel { continue }
        let name = TypePath.plain(file.source.text(token.span))
        if !Self.fixedNames.contains(name) { names.append(.init(name: name, place: file.place(token.start))) }
      }
      return names
    }
  }

  /// What nobody declares, or of which another one does not compile.
  private static let fixedNames: Set<String> = ["LifecycleEvent", "Self", "Void", "false", "nil", "true", "try"]

  var after: [ScannedTask.NameReference] {
    (value("after")?.elements ?? []).compactMap { element in
      let place = file.place(element.span.start)
      if let name = element.plainString { return .init(name: name, mayBeAbsent: false, place: place) }
      guard let call = element.call, call.callee.memberPath?.last == "optional",
        let name = call.arguments.first.flatMap({ file.expression($0.value).plainString })
      else { return nil }
      return .init(name: name, mayBeAbsent: true, place: place)
    }
  }
}
