/// Where a task was declared or injected: `Module/File.swift`, line and column, both counted from 1.
public struct TaskLocation: Hashable, Sendable, Codable, CustomStringConvertible {
  /// The module and the file's name, as in `#fileID`. Never a path of the machine that built the program.
  public let fileID: String
  public let line: Int
  public let column: Int

  public init(_ fileID: String, _ line: Int, _ column: Int) {
    self.fileID = fileID
    self.line = line
    self.column = column
  }

  public var description: String { "\(fileID):\(line):\(column)" }
}
