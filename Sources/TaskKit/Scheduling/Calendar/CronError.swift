// Read by TaskKit at run time and, through a symbolic link, by the macros while compiling: no import, no other file
// but those of Sources/TaskKitMacros/Shared.

/// Why a cron expression or a time of day cannot be used: every mistake in it, in the order of the text.
///
/// ```text
/// cron expression '61 9 * * MON-FRY': minute '61' is more than 59; write a number from 0 to 59
/// ```
///
/// A text in an annotation never leads here: the macro reads it with the same code, and the build fails with the wrong
/// field marked.
public struct CronError: Error, Hashable, Sendable, CustomStringConvertible {
  /// A field of a cron expression. Its raw value is its name in messages.
  public enum Field: String, Sendable, Hashable, CaseIterable {
    /// The first of six fields; an expression of five has none.
    case second
    /// From 0 to 59.
    case minute
    /// From 0 to 23.
    case hour
    /// From 1 to 31, `L` and `W` included.
    case dayOfMonth = "day of month"
    /// From 1 to 12, or by name.
    case month
    /// From 0, Sunday, to 7, Sunday again, or by name.
    case dayOfWeek = "day of week"
  }

  /// One mistake.
  public struct Problem: Hashable, Sendable, CustomStringConvertible {
    /// The field in which it is, nil when it is the text as a whole.
    public let field: Field?

    /// Where the wrong part is in the text, in bytes of UTF-8.
    public let range: Range<Int>

    /// The wrong part, as it was written.
    public let part: String

    /// What is wrong, as half a sentence.
    public let reason: String

    /// What to do, as half a sentence that begins with a verb.
    public let repair: String

    /// What to write in the place of `range`, where that is certain.
    public let replacement: String?

    /// One sentence: what is wrong, then what to do.
    public var description: String { "\(reason); \(repair)" }
  }

  /// What the text was read as, as in `cron expression`.
  let subject: String

  /// The text as it was given.
  public let text: String

  /// The mistakes, at least one, in the order of the text.
  public let problems: [Problem]

  /// All mistakes on one line.
  public var description: String {
    "\(subject) '\(text)': \(problems.map(\.description).joined(separator: ". "))".onOneLine
  }

  /// The text, and each mistake drawn below the part that is wrong.
  ///
  /// ```text
  /// 61 9 * * MON-FRY
  /// ^~ minute '61' is more than 59; write a number from 0 to 59
  ///              ^~~ 'FRY' is no day of the week; write 'FRI'
  /// ```
  public var picture: String {
    let notes = problems.map { "\($0.marks(in: text)) \($0)" }
    return ([text.onOneLine] + notes).joined(separator: "\n")
  }
}

extension CronError.Problem {
  /// Marks below the part that is wrong, for a line below the text.
  func marks(in text: String) -> String {
    // Characters, not bytes, are what a line is made of.
    let before = String(decoding: Array(text.utf8.prefix(range.lowerBound)), as: UTF8.self)
    return String(repeating: " ", count: before.count) + "^" + String(repeating: "~", count: max(0, part.count - 1))
  }
}

extension CronError.Field {
  /// The smallest and the largest number that may be written.
  var bounds: ClosedRange<Int> {
    switch self {
    case .second, .minute: 0...59
    case .hour: 0...23
    case .dayOfMonth: 1...31
    case .month: 1...12
    // Sunday is 0, and 7 as well.
    case .dayOfWeek: 0...7
    }
  }

  /// Names that stand for numbers, from the smallest number on.
  var names: [String] {
    switch self {
    case .month: ["JAN", "FEB", "MAR", "APR", "MAY", "JUN", "JUL", "AUG", "SEP", "OCT", "NOV", "DEC"]
    case .dayOfWeek: ["SUN", "MON", "TUE", "WED", "THU", "FRI", "SAT"]
    default: []
    }
  }

  /// What a value of the field is called.
  var valueName: String {
    switch self {
    case .dayOfMonth: "day of the month"
    case .dayOfWeek: "day of the week"
    default: rawValue
    }
  }
}
