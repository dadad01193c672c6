/// From what `@available` says to what has to be asked before a type is used.
enum Availability {
  /// The condition of an `if`; nil where a type is there on every system.
  ///
  /// Deprecation and the like ask for nothing.
  static func check(_ attributes: [String]) -> String? {
    let checks = attributes.compactMap(check)
    return checks.isEmpty ? nil : checks.joined(separator: ", ")
  }

  private static func check(_ attribute: String) -> String? {
    let parts = attribute.split(separator: ",").map { $0.trimmed }
    guard let first = parts.first, !first.hasPrefix("*"), !first.hasPrefix("swift") else { return nil }
    // `iOS 18, macOS 15, *`
    if parts.last == "*" { return "#available(\(parts.joined(separator: ", ")))" }
    // `iOS, introduced: 18`
    guard let introduced = parts.first(where: { $0.hasPrefix("introduced:") }) else { return nil }
    return "#available(\(first) \(introduced.dropFirst("introduced:".count).trimmed), *)"
  }
}

extension Substring {
  fileprivate var trimmed: String {
    String(drop(while: \.isWhitespace).reversed().drop(while: \.isWhitespace).reversed())
  }
}
