extension StringProtocol {
  /// The lines of a table that are neither empty nor a comment, each with its columns.
  func tableRows(separator: Character = "\t") -> [[SubSequence]] {
    split(whereSeparator: \.isNewline)
      .filter { !$0.hasPrefix("#") }
      .map { $0.split(separator: separator, omittingEmptySubsequences: true) }
  }
}
