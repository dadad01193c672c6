import Measuring

/// What is done to a center with many things in it, step by step, and how long each step took.
struct GrowthRun {
  let count: Int
  private(set) var steps: [(title: String, nanoseconds: Double)] = []

  init(count: Int) { self.count = count }

  /// Numbers for so many things.
  var numbers: Range<Int> { 0..<count }

  /// - Parameter body: does something once for each of the things.
  mutating func step(_ title: String, _ body: () async throws -> Void) async rethrows {
    let watch = Stopwatch()
    try await body()
    steps.append((title, Double(watch.elapsed) / Double(count)))
  }
}

/// One use of a center.
struct GrowthCase: Sendable {
  let run: @Sendable (inout GrowthRun) async throws -> Void
}
