/// What the `@available` of a type, and of those around it, mean for code that refers to it.
struct Availability {
  /// What an `if` has to ask before; nil where the type is there on every system version.
  let check: String?
  /// The `#if` under which the type can be referred to at all; nil where that is always.
  let condition: String?
  /// Whether a reference to the type is a warning.
  let isDeprecated: Bool
  /// Whether a reference to the type is an error everywhere.
  let isUnavailable: Bool

  /// - Parameter declarations: the arguments of the attributes of each, outermost first.
  init(_ declarations: [[String]]) {
    let declarations = declarations.map { $0.map(Self.arguments) }
    let checks = Self.checks(declarations).map { "#available(\($0.joined(separator: ", ")), *)" }
    check = checks.isEmpty ? nil : checks.joined(separator: ", ")
    let conditions = declarations.flatMap { lists in
      let named = Set(lists.flatMap(Self.platforms))
      return lists.compactMap { Self.condition($0, beside: named) }
    }
    condition = conditions.isEmpty ? nil : conditions.joined(separator: " && ")
    let lists = declarations.flatMap { $0 }
    isDeprecated = lists.contains { $0.contains { $0 == "deprecated" || $0.hasPrefix("deprecated:") } }
    isUnavailable = lists.contains { $0.first == "*" && $0.contains("unavailable") }
  }

  private static func arguments(_ attribute: String) -> [String] {
    let source = SourceText(path: "", attribute)
    return ArgumentReader.arguments(in: SourceSpan(start: 0, end: source.count), of: source).map { argument in
      source.text(SourceSpan(start: argument.label?.start ?? argument.value.start, end: argument.value.end))
    }
  }

  /// The systems that a list speaks of.
  private static func platforms(_ list: [String]) -> [String] {
    list.last == "*" ? list.dropLast().map(platform) : list.first.map { [$0] } ?? []
  }

  /// The `iOS` of `iOS 18`.
  private static func platform(_ version: String) -> String { String(version.prefix { !$0.isWhitespace }) }

  /// `macOS, unavailable`
  ///
  /// - Parameter named: the systems that the attributes of the same declaration speak of.
  private static func condition(_ list: [String], beside named: Set<String>) -> String? {
    guard let platform = list.first, list.contains("unavailable") else { return nil }
    return switch platform {
    case "iOS":
      // It counts on Mac Catalyst and visionOS as well, where nothing is said of those themselves.
      (named.contains("macCatalyst") ? "!(os(iOS) && !targetEnvironment(macCatalyst))" : "!os(iOS)")
        + (named.contains("visionOS") ? "" : " && !os(visionOS)")
    case "macOS", "tvOS", "watchOS", "visionOS", "Android", "FreeBSD", "OpenBSD", "Windows": "!os(\(platform))"
    case "OSX": "!os(macOS)"
    case "macCatalyst": "!targetEnvironment(macCatalyst)"
    // `*` is looked at as a whole; whether code is an app extension's no condition can ask.
    default: nil
    }
  }
}

// MARK: - Versions

extension Availability {
  /// The versions to ask for, those of each attribute apart. What is asked once is not asked again: inside the first
  /// question the compiler calls the second one useless.
  private static func checks(_ declarations: [[[String]]]) -> [[String]] {
    var checks: [[String]] = []
    for lists in declarations {
      let named = Set(lists.flatMap(platforms))
      for list in lists {
        let versions = versions(list, beside: named).filter { version in
          !checks.contains { $0.contains(version) && decides($0, on: platform(version)) }
        }
        if !versions.isEmpty { checks.append(versions) }
      }
    }
    return checks
  }

  /// Whether a question about these versions asks for that of one system wherever another one would: on Mac Catalyst `iOS`
  /// counts only where nothing is said of that itself.
  private static func decides(_ versions: [String], on platform: String) -> Bool {
    platform != "iOS" || !versions.contains { Self.platform($0) == "macCatalyst" }
  }

  private static func versions(_ list: [String], beside named: Set<String>) -> [String] {
    guard let first = list.first, first != "*", !first.hasPrefix("swift") else { return [] }
    var versions: [String] = []
    if list.last == "*" {
      // `iOS 18, macOS 15, *`
      versions = Array(list.dropLast())
    } else if let introduced = list.first(where: { $0.hasPrefix("introduced:") }) {
      // `iOS, introduced: 18`
      versions = ["\(first) \(introduced.dropFirst("introduced:".count).trimmed)"]
    }
    // The attribute counts on visionOS, where nothing is said of that itself. A question about iOS does not.
    guard !named.contains("visionOS"), let index = versions.firstIndex(where: { platform($0) == "iOS" }),
      let version = visionOS(likeIOS: versions[index].dropFirst("iOS".count).trimmed)
    else { return versions }
    versions.insert("visionOS \(version)", at: index + 1)
    return versions
  }

  /// The version of visionOS that came with one of iOS; nil for those that all have on which TaskKit runs.
  private static func visionOS(likeIOS version: String) -> String? {
    let numbers = version.split(separator: ".")
    guard let major = numbers.first.flatMap({ Int($0) }) else { return nil }
    if major >= 26 { return version }
    // 18.4 came with 2.4.
    return major == 18 && numbers.count > 1 ? "2." + numbers.dropFirst().joined(separator: ".") : nil
  }
}

extension Availability {
  /// An `@available` of a type or of one around it.
  struct Attribute {
    let arguments: String
    /// How many types are around the one on which it stands.
    let depth: Int
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
      let chosen = attributes.filter { $0.conditions.isEmpty || variant.chosen.contains($0.conditions) }
      let declarations = Set(chosen.map(\.depth)).sorted().map { depth in
        chosen.filter { $0.depth == depth }.map(\.arguments)
      }
      return (variant.conditions, Availability(declarations))
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
