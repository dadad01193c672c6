import Measuring

/// What the command line asks for.
struct Options: Sendable {
  var isQuick = false
  var isJSON = false
  /// Only suites whose name, or graphs whose title, contains one of these.
  var filters: [String] = []
  /// Only engines whose name contains one of these, and the one that they are compared with.
  var engines: [String] = []
  var rounds = 31

  static let usage = """
    usage: Benchmarks [--quick] [--json] [--filter TEXT]... [--engine TEXT]... [--rounds NUMBER] [--cpu]

      --quick    small sizes and few rounds: up to a minute, good for seeing what a change did
      --json     numbers and verdicts as JSON instead of tables
      --filter   only suites whose name is TEXT, or graphs whose title contains it, as in --filter sync --filter "wide 10"
      --engine   only engines whose name contains TEXT, and the one that they are compared with
      --rounds   how often each engine has its turn (31; at least 9 for numbers to be quoted)
      --cpu      processor time instead of elapsed time: for a machine that others use too, not for 'parallel'
    """

  /// - Returns: nil when the arguments are not understood.
  init?(_ arguments: some Collection<String>) {
    var rest = arguments[...]
    while let argument = rest.popFirst() {
      switch argument {
      case "--quick":
        isQuick = true
        rounds = 15
      case "--json": isJSON = true
      case "--filter":
        guard let text = rest.popFirst() else { return nil }
        filters.append(text)
      case "--engine":
        guard let text = rest.popFirst() else { return nil }
        engines.append(text)
      case "--rounds":
        guard let number = rest.popFirst().flatMap({ Int($0) }), number > 0 else { return nil }
        rounds = number
      // Read by `Stopwatch`.
      case "--cpu": break
      default: return nil
      }
    }
  }

  /// How often each engine has its turn: less often where a pass takes up to a second.
  func rounds(for graph: BenchmarkGraph) -> Int {
    min(rounds, graph.count > 100_000 ? 5 : graph.count > 10_000 ? 9 : .max)
  }

  /// Whether a suite is asked for.
  func includes(suite: String) -> Bool {
    let named = filters.filter(Suite.names.contains)
    return named.isEmpty || named.contains(suite)
  }

  /// Whether a graph is asked for.
  func includes(graph title: String) -> Bool {
    let graphs = filters.filter { !Suite.names.contains($0) }
    return graphs.isEmpty || graphs.contains { title == $0 || title.hasPrefix($0 + " ") || title.hasSuffix(" " + $0) }
  }

  /// Whether a way to do things later is asked for; calls always are.
  func includes(timers name: String) -> Bool {
    engines.isEmpty || name == CallTimers.name || engines.contains { name.contains($0) }
  }

  /// Those of a suite's engines that are asked for.
  func entrants(_ contenders: [Contender]) -> [Contender] {
    guard !engines.isEmpty else { return contenders }
    return contenders.prefix(1) + contenders.dropFirst().filter { one in engines.contains { one.name.contains($0) } }
  }

  /// The graphs of a suite that are asked for.
  func graphs(_ shapes: [GraphShape], _ counts: [Int]) -> [BenchmarkGraph] {
    counts.flatMap { count in
      shapes.filter { includes(graph: "\($0.rawValue) \(count)") }.map { BenchmarkGraph($0, count: count) }
    }
  }
}
