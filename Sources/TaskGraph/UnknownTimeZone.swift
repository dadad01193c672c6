/// What is said of a time zone that a machine does not know. The build tool and the center say the same words.
package enum UnknownTimeZone {
  /// - Parameter known: the names that the machine knows.
  package static func message(_ name: String, among known: [String]) -> String {
    let suggestion = TaskNames(known.map { ($0, "") }).suggestion(for: name)
    let repair =
      suggestion.map { "did you mean '\($0)'?" }
      ?? "name one that it knows, or install its time zone database ('tzdata')"
    return "the machine knows no time zone '\(name)'; \(repair)"
  }
}
