import TaskGraph

// What is wrong with kinds of durable work. Where the macro knows the same mistake, it says the same words.

extension Problem {
  static func notAJob(_ annotation: String, but noun: String, at place: SourcePlace) -> Problem {
    scanner(
      "'@\(annotation)' declares a kind of job by a type, and this is \(noun); move it to a struct, enum or final class "
        + "with a 'run'", at: place)
  }

  static func noKind(_ annotation: String, at place: SourcePlace) -> Problem {
    scanner("'@\(annotation)' does not say by which name its jobs are stored, for years; add 'kind:'", at: place)
  }

  static func kindIsNotLiteral(at place: SourcePlace) -> Problem {
    scanner(
      "'kind:' is not a plain string literal, which the build needs to read it; write the kind between quotes",
      at: place)
  }

  static func emptyKind(at place: SourcePlace) -> Problem {
    scanner("'kind:' is empty, and it is the name by which jobs are stored; write one", at: place)
  }

  static func durableWithoutLibrary(at place: SourcePlace) -> Problem {
    scanner(
      "a durable schedule needs TaskKitDurable, which this file does not import; add '.product(name: \"TaskKitDurable\", "
        + "package: \"TaskKit\")' to its target and 'import TaskKitDurable', or remove 'durable:'", at: place)
  }

  static func notAnOptionOfDurableSchedule(_ label: String, _ reason: String, at place: SourcePlace) -> Problem {
    scanner("'\(label)' is no option of a durable schedule: \(reason)", at: place)
  }

  /// At each of the two places.
  static func duplicateKind(_ name: String, _ kind: ScannedKind, _ other: ScannedKind) -> Problem {
    scanner(
      "kind '\(name)' is declared by \(type(kind, beside: other)) and by \(type(other, beside: kind)); give one of them "
        + "another kind, and remember that stored jobs keep theirs",
      at: kind.place, notes: [Note("the other one is here", place: other.place)])
  }

  /// With its module where the other one is in another.
  private static func type(_ kind: ScannedKind, beside other: ScannedKind) -> String {
    let path = kind.type.path.joined(separator: ".")
    return kind.type.module == other.type.module ? "'\(path)'" : "'\(kind.type.module).\(path)'"
  }
}
