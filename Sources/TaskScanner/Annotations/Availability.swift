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
    let lists = attributes.map { $0.split(separator: ",").map(\.trimmed) }
    let checks = lists.compactMap(Self.check)
    check = checks.isEmpty ? nil : checks.joined(separator: ", ")
    let conditions = lists.compactMap(Self.condition)
    condition = conditions.isEmpty ? nil : conditions.joined(separator: " && ")
    isDeprecated = lists.contains { $0.contains { $0 == "deprecated" || $0.hasPrefix("deprecated:") } }
    isUnavailable = lists.contains { $0.first == "*" && $0.contains("unavailable") }
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

extension Substring {
  fileprivate var trimmed: String {
    String(drop(while: \.isWhitespace).reversed().drop(while: \.isWhitespace).reversed())
  }
}
