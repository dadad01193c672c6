import TaskKit

extension TaskGraphError {
  /// What is wrong, one sentence a problem, without the places.
  var sentences: [String] {
    description.split(separator: "\n").filter { $0.hasPrefix("error: ") }.map { String($0.dropFirst(7)) }
  }
}
