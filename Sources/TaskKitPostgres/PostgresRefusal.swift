#if Postgres
import Foundation

/// Why a server did not let somebody in, as the system's library writes it down when it is asked for all that there is: there
/// is no other way to get the code.
enum PostgresRefusal {
  /// - Returns: the last SQLSTATE in a text, and the text without what is for people who look into the server's sources.
  static func read(_ text: String) -> (code: String?, text: String) {
    let lines = text.split(separator: "\n").filter { !$0.hasPrefix("LOCATION:") }
    var code: String?
    let readable = lines.map { line in
      guard let match = line.matches(of: #/: {2}([0-9A-Z]{5}): /#).last else { return String(line) }
      code = String(match.1)
      return line[..<match.range.lowerBound] + ": " + line[match.range.upperBound...]
    }
    return (code, readable.joined(separator: "\n"))
  }
}
#endif
