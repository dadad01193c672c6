/// What the `@available` of a type, and of those around it, mean for code that refers to it.
struct Availability {
  /// The arguments of each, outermost first.
  let attributes: [String]
  /// What an `if` has to ask before; nil where the type is there on every system version.
  let check: String?
  /// The `#if` under which the type can be referred to at all; nil where that is always.
  let condition: String?
  /// Whether a reference to the type is a warning.
  let isDeprecated: Bool
  /// Whether a reference to the type is an error everywhere.
  let isUnavailable: Bool

  /// - Parameter attributes: outermost first.
  init(_ attributes: [String]) {
    self.attributes = attributes
    let lists = attributes.map(Self.arguments)
    let checks = lists.compactMap(Self.check)
    check = checks.isEmpty ? nil : checks.joined(separator: ", ")
    let conditions = lists.compactMap(Self.condition)
    condition = conditions.isEmpty ? nil : conditions.joined(separator: " && ")
    isDeprecated = lists.contains { $0.contains { $0 == "deprecated" || $0.hasPrefix("deprecated:") } }
    isUnavailable = lists.contains { $0.first == "*" && $0.contains("unavailable") }
  }

  private static func arguments(_ attribute: String) -> [String] {
    let source = SourceText(path: "", attribute)
    return ArgumentReader.arguments(in: SourceSpan(start: 0, end: source.count), of: source).map { argument in
      source.text(SourceSpan(start: argument.label?.start ?? argument.value.start, end: argument.value.end))
    }
  }

  private static func check(_ list: [String]) -> String? {
    guard let platform = list.first, platform != "*", !platform.hasPrefix("swift") else { return nil }
    // `iOS 18, macOS 15, *`
    if list.last == "*" { return "#available(\(list.joined(separator: ", ")))" }
    // `iOS, introduced: 18`
    guard let introduced = list.first(where: { $0.hasPrefix("introduced:") }) else { return nil }
    return "#available(\(platform) \(introduced.dropFirst("introduced:".count).trimmed), *)"
  }

  /// `macOS, unavailable`
  private static func condition(_ list: [String]) -> String? {
    guard let platform = list.first, list.contains("unavailable") else { return nil }
    return switch platform {
    case "iOS", "macOS", "tvOS", "watchOS", "visionOS": "!os(\(platform))"
    case "OSX": "!os(macOS)"
    case "macCatalyst": "!targetEnvironment(macCatalyst)"
    // `*` is looked at as a whole; whether code is an app extension's no condition can ask.
    default: nil
    }
  }
}

extension Availability {
  /// An `@available` of a type or of one around it.
  struct Attribute {
    let arguments: String
    /// The branches of `#if` in which it stands, while the type itself does not.
    let conditions: [ScannedTask.Condition]

    /// As generated code repeats it.
    var text: String {
      let attribute = "@available(\(arguments))\n"
      return conditions.isEmpty ? attribute : "#if \(conditions.joined)\n\(attribute)#endif\n"
    }
  }

  /// What some attributes mean in the builds that have different ones of them.
  static func variants(_ attributes: [Attribute]) -> [(conditions: [String], availability: Availability)] {
    var groups: [[ScannedTask.Condition]] = []
    for attribute in attributes where !attribute.conditions.isEmpty && !groups.contains(attribute.conditions) {
      groups.append(attribute.conditions)
    }
    var variants: [(chosen: [[ScannedTask.Condition]], conditions: [String])] = [([], [])]
    // Each doubles the variants. Of more than anybody writes the rest is left out: then the compiler complains.
    for group in groups.prefix(6) {
      variants = variants.flatMap { variant in
        let with = (variant.chosen + [group], variant.conditions + [group.joined])
        let without = (variant.chosen, variant.conditions + ["!(\(group.joined))"])
        return variant.chosen.contains { $0.exclude(group) } ? [without] : [with, without]
      }
    }
    return variants.map { variant in
      (
        variant.conditions,
        Availability(
          attributes.filter { $0.conditions.isEmpty || variant.chosen.contains($0.conditions) }.map(\.arguments))
      )
    }
  }
}

extension [ScannedTask.Condition] {
  /// The condition under which all of them hold.
  fileprivate var joined: String {
    count == 1 ? self[0].text : map { "(\($0.text))" }.joined(separator: " && ")
  }
}

extension Substring {
  fileprivate var trimmed: String {
    String(drop(while: \.isWhitespace).reversed().drop(while: \.isWhitespace).reversed())
  }
}
