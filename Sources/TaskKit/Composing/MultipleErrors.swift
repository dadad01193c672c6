/// Several errors of things that ran side by side, in the order in which the things were given.
///
/// One error alone is thrown as itself. A `CancellationError` is never among them: errors beat cancellation (Bw5).
public struct MultipleErrors: Error, CustomStringConvertible {
  /// At least two; none where a first success was wanted of nothing at all.
  public let errors: [any Error]

  init(_ errors: [any Error]) {
    self.errors = errors
  }

  public var description: String {
    if errors.isEmpty { return "there was nothing to try" }
    let list = errors.enumerated().map { "\($0 + 1). \($1)" }.joined(separator: "; ")
    return "\(errors.count) errors: \(list)"
  }
}

extension Sequence {
  /// What to throw for all of these: an error before a cancellation, several errors as one; nil if nothing failed.
  func failure<Output>() -> (any Error)? where Element == Result<Output, any Error> {
    var errors: [any Error] = []
    var cancellation: (any Error)?
    for case .failure(let error) in self {
      if error is CancellationError { cancellation = error } else { errors.append(error) }
    }
    return errors.count > 1 ? MultipleErrors(errors) : errors.first ?? cancellation
  }
}
