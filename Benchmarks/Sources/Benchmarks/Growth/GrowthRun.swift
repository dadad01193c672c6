import Measuring

/// What is done to a center with many things in it, step by step, and how long each step took.
struct GrowthRun {
  let count: Int
  private(set) var steps: [(title: String, nanoseconds: Double)] = []

  init(count: Int) { self.count = count }

  /// Numbers for so many things.
  var numbers: Range<Int> { 0..<count }

  /// - Parameters:
  ///   - times: how often the body does it; nil for once with each of the things.
  ///   - body: what is timed.
  mutating func step(_ title: String, times: Int? = nil, _ body: () async throws -> Void) async rethrows {
    let watch = Stopwatch()
    try await body()
    steps.append((title, Double(watch.elapsed) / Double(times ?? count)))
  }
}
