import Foundation
import TaskGraph
import Testing

/// TaskGraph against networkx, on random graphs and on graphs of the real world.
@Suite struct OracleTests {
  private struct Question: Encodable {
    var name: String
    var nodes: Int
    var edges: [[Int]]
    var priorities: [Int]
    var durations: [Int]
  }

  private struct Answers: Decodable {
    var version: String
    var graphs: [Answer]
  }

  private struct Answer: Decodable {
    var name: String
    var nodes: Int
    var edges: [[Int32]]
    var priorities: [Int]
    var durations: [Double]
    var isAcyclic: Bool
    var components: Int
    var cyclicComponents: [Int]
    var effectivePriorities: [Int]?
    var startOrder: [Int32]?
    var longestChain: Int?
    var longestDuration: Double?
  }

  private struct OracleFailure: Error, CustomStringConvertible {
    var description: String
  }

  @Test func `networkx finds the same order, cycles and longest paths in 2000 random graphs and in real ones`() throws {
    var random = SeededGenerator(seed: 2_000)
    let questions = (0..<2_000).map { number in question(number, &random) }
    let answers = try ask(questions)
    // Two real graphs, whole and without what points back; on a machine without dpkg only one.
    #expect(answers.graphs.count == 2_004 || answers.graphs.count == 2_002)
    #expect(answers.graphs.contains { $0.name == "Python modules" && $0.nodes > 300 && $0.edges.count > 1_000 })
    // Both answers must be common, or little was asked.
    #expect(answers.graphs.count { $0.isAcyclic } > 750)
    #expect(answers.graphs.count { !$0.isAcyclic } > 750)
    for answer in answers.graphs {
      if let mistake = mistake(answer) {
        Issue.record("\(answer.name): \(mistake); networkx \(answers.version), edges \(answer.edges.prefix(50))")
      }
    }
  }

  /// Half of the graphs point forward in a hidden order, half in any direction; sparse ones are the most.
  private func question(_ number: Int, _ random: inout SeededGenerator) -> Question {
    let nodes = number % 100 == 0 ? 400 : Int.random(in: 0...40, using: &random)
    let hidden = Array(0..<nodes).shuffled(using: &random)
    let halves = [1, 2, 4, 8].randomElement(using: &random) ?? 1
    var edges: [[Int]] = []
    for _ in 0..<nodes * halves / 2 {
      var pair = [Int.random(in: 0..<nodes, using: &random), Int.random(in: 0..<nodes, using: &random)]
      if number % 2 == 0 {
        if pair[0] == pair[1] { continue }
        pair.sort()
      }
      edges.append(pair.map { hidden[$0] })
    }
    return Question(
      name: "random graph \(number)", nodes: nodes, edges: edges,
      priorities: (0..<nodes).map { _ in [250, 500, 500, 500, 750, 1_000].randomElement(using: &random) ?? 500 },
      durations: (0..<nodes).map { _ in Int.random(in: 0...20, using: &random) })
  }

  private func mistake(_ answer: Answer) -> String? {
    var kinds = SeededGenerator(seed: UInt64(answer.nodes))
    let graph = DependencyGraph(
      nodeCount: answer.nodes,
      edges: answer.edges.map {
        DependencyGraph.Edge(
          prerequisite: $0[0], dependent: $0[1], kind: Bool.random(using: &kinds) ? .requires : .follows)
      })
    if graph.isAcyclic != answer.isAcyclic { return "acyclic should be \(answer.isAcyclic)" }
    let components = graph.components().count
    if components != answer.components { return "\(components) components instead of \(answer.components)" }
    let cycles = graph.cycles()
    if cycles.count != answer.cyclicComponents.count {
      return "\(cycles.count) cycles instead of \(answer.cyclicComponents.count)"
    }
    let schedule = graph.schedule(priorities: answer.priorities)
    let critical = graph.criticalPath(durations: answer.durations)
    guard answer.isAcyclic else { return schedule == nil && critical.isEmpty ? nil : "a cyclic graph was ordered" }
    if schedule?.effectivePriorities != answer.effectivePriorities { return "effective priorities differ" }
    if schedule?.startOrder != answer.startOrder { return "start order differs" }
    let chain = graph.criticalPath(durations: [Double](repeating: 1, count: answer.nodes))
    if chain.count != answer.longestChain { return "longest chain \(chain)" }
    let duration = critical.reduce(0) { $0 + answer.durations[$1] }
    return duration == answer.longestDuration ? nil : "longest duration \(duration)"
  }

  /// A machine without the oracle must not pass in silence: the test fails and says what to install.
  private func ask(_ questions: [Question]) throws -> Answers {
    let folder = FileManager.default.temporaryDirectory.appending(path: "TaskGraphOracle-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let input = folder.appending(path: "graphs.json")
    try JSONEncoder().encode(questions).write(to: input)

    let script = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "Oracle/oracle.py")
    let process = Process()
    process.executableURL = URL(filePath: "/usr/bin/env")
    process.arguments = ["python3", script.path(percentEncoded: false), input.path(percentEncoded: false)]
    let output = Pipe()
    process.standardOutput = output
    try process.run()
    let data = try output.fileHandleForReading.readToEnd() ?? Data()
    process.waitUntilExit()
    guard process.terminationStatus == 0 else {
      throw OracleFailure(
        description:
          "the oracle did not answer (exit code \(process.terminationStatus)); it needs python3 and networkx: "
          + "apt-get install -y python3-networkx, or python3 -m pip install networkx")
    }
    return try JSONDecoder().decode(Answers.self, from: data)
  }
}
