/// Where a task was declared or injected: `Module/File.swift`, line and column, both counted from 1.
public struct TaskLocation: Hashable, Sendable, Codable, CustomStringConvertible {
  /// The module and the file's name, as in `#fileID`. Never a path of the machine that built the program.
  public let fileID: String
  /// The line of the annotation or of the call, from 1.
  public let line: Int
  /// Where it begins in that line, in bytes of UTF-8 from 1, as the compiler counts.
  public let column: Int

  public init(_ fileID: String, _ line: Int, _ column: Int) {
    self.fileID = fileID
    self.line = line
    self.column = column
  }

  public var description: String { "\(fileID):\(line):\(column)" }
}
