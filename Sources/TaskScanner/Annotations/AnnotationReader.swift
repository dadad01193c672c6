import TaskGraph

/// Reads the arguments of an annotation. What it cannot read the macro refuses, so nothing is reported here.
struct AnnotationReader {
  let arguments: [SourceArgument]
  let file: FileReader

  private func value(_ label: String) -> SourceSpan? {
    arguments.first { $0.label.map { file.source.text($0) } == label }?.value
  }

  private func text(_ span: SourceSpan) -> String { file.source.text(span) }

  /// What `name:` says.
  var name: String? {
    value("name").flatMap { AnnotationReader.plainString(text($0)) }
  }

  /// The text of a string literal without interpolation; nil for anything else.
  static func plainString(_ literal: String) -> String? {
    guard literal.count >= 2, literal.hasPrefix("\""), literal.hasSuffix("\""), !literal.hasPrefix("\"\"\"") else {
      return nil
    }
    let inside = literal.dropFirst().dropLast()
    guard inside.contains("\\") else { return inside.contains("\"") ? nil : String(inside) }
    var result = ""
    var rest = inside[...]
    while let character = rest.popFirst() {
      guard character == "\\" else {
        result.append(character)
        continue
      }
      switch rest.popFirst() {
      case "n": result.append("\n")
      case "t": result.append("\t")
      case "r": result.append("\r")
      case "0": result.append("\0")
      case "\"": result.append("\"")
      case "'": result.append("'")
      case "\\": result.append("\\")
      case "u":
        guard rest.popFirst() == "{", let close = rest.firstIndex(of: "}"),
          let scalar = UInt32(rest[..<close], radix: 16).flatMap(Unicode.Scalar.init)
        else { return nil }
        result.unicodeScalars.append(scalar)
        rest = rest[rest.index(after: close)...]
      default: return nil
      }
    }
    return result
  }

  // MARK: - Occasions

  func occasions(_ kind: ScannedTask.Kind) -> [Occasion] {
    switch kind {
    case .event: events.map { .event($0) }
    case .schedule: [.schedule]
    case .notification: [.notification(arguments.first.map { notification($0.value) } ?? "")]
    }
  }

  private func notification(_ span: SourceSpan) -> String {
    AnnotationReader.plainString(text(span)) ?? text(span).filter { !$0.isWhitespace }
  }

  /// The members behind `event:`, or `events:` and what follows without a label.
  private var events: [String] {
    var events: [String] = []
    var isList = false
    for argument in arguments {
      switch argument.label.map({ file.source.text($0) }) {
      case "event":
        events.append(event(argument.value))
        isList = false
      case "events":
        events.append(event(argument.value))
        isList = true
      case nil where isList: events.append(event(argument.value))
      default: isList = false
      }
    }
    return events
  }

  /// The name of an event: what an initialiser is given, else the member, whose own name is looked up later.
  private func event(_ span: SourceSpan) -> String {
    let text = text(span)
    if let open = text.firstIndex(of: "("), let close = text.lastIndex(of: ")"), open < close {
      let inside = text[text.index(after: open)..<close]
      let first = inside.prefix { $0 != "," }.trimmingSpaces()
      if let name = AnnotationReader.plainString(String(first)) { return name }
    }
    let member = text.split(separator: ".").last.map { $0.filter { !$0.isWhitespace } } ?? text
    return "." + FileReader.plain(member)
  }

  // MARK: - Order

  var priority: Int {
    guard let span = value("priority") else { return 500 }
    let text = text(span).filter { !$0.isWhitespace }
    let member = text.hasPrefix("Priority.") ? String(text.dropFirst("Priority".count)) : text
    switch member {
    case ".critical": return 1000
    case ".high": return 750
    case ".default", ".`default`": return 500
    case ".low": return 250
    default:
      // `Priority(600)`, `.init(600)`, `600`; what is none of them does not change whether the graph is sound.
      return Int(text.filter { $0.isNumber || $0 == "-" }) ?? 500
    }
  }

  var dependencies: [ScannedTask.TypeReference] {
    elements("dependencies").compactMap { span in
      let compact = text(span).filter { !$0.isWhitespace }
      guard compact.hasSuffix(".self") else { return nil }
      let parts = FileReader.components(String(compact.dropLast(".self".count)))
      return .init(
        path: parts.path.map(FileReader.plain), module: parts.module, text: String(compact.dropLast(".self".count)),
        place: file.place(span.start))
    }
  }

  var after: [ScannedTask.NameReference] {
    elements("after").compactMap { span in
      let text = text(span)
      if let name = AnnotationReader.plainString(text) {
        return .init(name: name, mayBeAbsent: false, place: file.place(span.start))
      }
      guard let open = text.firstIndex(of: "("), let close = text.lastIndex(of: ")"), open < close,
        text[..<open].trimmingSpaces().hasSuffix("optional"),
        let name = AnnotationReader.plainString(String(text[text.index(after: open)..<close].trimmingSpaces()))
      else { return nil }
      return .init(name: name, mayBeAbsent: true, place: file.place(span.start))
    }
  }

  /// The elements of an array literal.
  private func elements(_ label: String) -> [SourceSpan] {
    guard let span = value(label), text(span).hasPrefix("["), text(span).hasSuffix("]") else { return [] }
    let inside = SourceSpan(start: span.start + 1, end: span.end - 1)
    return ArgumentReader.arguments(in: inside, of: file.source).map(\.value).filter { !$0.isEmpty }
  }
}

extension StringProtocol {
  func trimmingSpaces() -> SubSequence {
    guard let first = firstIndex(where: { !$0.isWhitespace }), let last = lastIndex(where: { !$0.isWhitespace }) else {
      return self[endIndex..<endIndex]
    }
    return self[first...last]
  }
}
