/// A way to run the tasks of a graph in an order that keeps its dependencies.
protocol Engine: Sendable {
  /// Runs the whole graph a number of times and says how long that took, in nanoseconds. What has to be made anew for
  /// each time is made outside of the measured time.
  ///
  /// The loop is inside so that it is a concrete one: a generic loop behind an existential would cost more than what is
  /// measured.
  @concurrent
  func run(times: Int) async -> Int64
}
