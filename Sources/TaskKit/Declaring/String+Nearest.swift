import TaskGraph

extension String {
  /// The one of some names that was probably meant by this one, which nobody has; nil if none is near.
  package func nearest(among names: [String]) -> String? { TaskNames(names.map { ($0, "") }).suggestion(for: self) }
}
