extension [Double] {
  /// The one in the middle, or the mean of the two that are.
  package var median: Double {
    precondition(!isEmpty, "nothing was measured")
    let sorted = sorted()
    let middle = count / 2
    return count.isMultiple(of: 2) ? (sorted[middle - 1] + sorted[middle]) / 2 : sorted[middle]
  }
}
