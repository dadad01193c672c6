/// A place in a source file, counted from 1; a line or column of 0 is unknown.
///
/// Places are ordered by path (bytes), line, column.
public struct SourcePlace: Sendable, Hashable, Comparable, Codable, CustomStringConvertible {
  /// The file, as the one who reports it calls it.
  public var path: String
  /// The line, or 0.
  public var line: Int
  /// The column, or 0.
  public var column: Int

  /// A place in a file.
  public init(path: String, line: Int, column: Int) {
    self.path = path
    self.line = line
    self.column = column
  }

  /// `path:line:column`, the form in which compilers name a place; what is unknown is left out.
  public var description: String {
    guard line > 0 else { return path }
    return column > 0 ? "\(path):\(line):\(column)" : "\(path):\(line)"
  }

  /// By path (bytes), then line, then column.
  public static func < (first: Self, second: Self) -> Bool {
    if first.path != second.path { return first.path.utf8.lexicographicallyPrecedes(second.path.utf8) }
    return (first.line, first.column) < (second.line, second.column)
  }
}
