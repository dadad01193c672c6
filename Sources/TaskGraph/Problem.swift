/// Something that is wrong with a set of tasks, and how to repair it.
public struct Problem: Error, Sendable, Hashable, CustomStringConvertible {
  /// Whether the set of tasks may be used all the same.
  public enum Severity: String, Sendable {
    /// The set of tasks is refused.
    case error
    /// The set of tasks works, but hardly as it was meant.
    case warning
  }

  /// A second place that belongs to the problem.
  public struct Note: Sendable, Hashable {
    /// What is to be seen there.
    public var message: String
    /// Where that is.
    public var place: SourcePlace?

    /// A message, and where it belongs.
    public init(_ message: String, place: SourcePlace?) {
      self.message = message
      self.place = place
    }
  }

  /// Identifies the mistake and never changes: `taskGraph.` and the name of the function in the catalogue.
  public var code: String
  /// An error or a warning.
  public var severity: Severity
  /// One sentence: what is wrong, with names in single quotes; then what to do.
  public var message: String
  /// The smallest place that has to change.
  public var place: SourcePlace?
  /// What else has to do with it, in the order of the message.
  public var notes: [Note]
  /// The numbers of the tasks concerned, the one to repair first.
  public var tasks: [Int]

  /// A problem; without `severity` an error.
  public init(
    code: String, severity: Severity = .error, message: String, place: SourcePlace?, notes: [Note] = [],
    tasks: [Int] = []
  ) {
    self.code = code
    self.severity = severity
    self.message = message
    self.place = place
    self.notes = notes
    self.tasks = tasks
  }

  /// For people: the sentence, then the places, one a line.
  public var description: String {
    var lines = ["\(severity.rawValue): \(message)"]
    if let place { lines.append("  declared at \(place)") }
    for note in notes { lines.append("  \(note.message)" + (note.place.map { " at \($0)" } ?? "")) }
    return lines.joined(separator: "\n")
  }

  /// For build tools: `path:line:column: error: …`, and the notes in the same form, each on one line whatever names are in it.
  public var diagnostic: String {
    func line(_ place: SourcePlace?, _ kind: String, _ message: String) -> String {
      (place.map { "\($0): " } ?? "") + "\(kind): \(message.onOneLine)"
    }
    let first = line(place, severity.rawValue, message)
    return ([first] + notes.map { line($0.place, "note", $0.message) }).joined(separator: "\n")
  }
}

extension [Problem] {
  /// By place, what has none last; at one place, and without any, by task, then as they were.
  package var sortedByPlace: [Problem] {
    enumerated().sorted { first, second in
      switch (first.element.place, second.element.place) {
      case (let one?, let other?) where one != other: one < other
      case (.some, .none): true
      case (.none, .some): false
      default: (first.element.tasks.first ?? -1, first.offset) < (second.element.tasks.first ?? -1, second.offset)
      }
    }.map(\.element)
  }
}

extension String {
  /// With what controls a terminal, or ends a line, written as an escape: a name may hold anything.
  fileprivate var onOneLine: String {
    guard unicodeScalars.contains(where: \.isControl) else { return self }
    return unicodeScalars.map { $0.isControl ? "\\u{\(String($0.value, radix: 16))}" : String($0) }.joined()
  }
}

extension Unicode.Scalar {
  fileprivate var isControl: Bool {
    [.control, .lineSeparator, .paragraphSeparator].contains(properties.generalCategory)
  }
}
