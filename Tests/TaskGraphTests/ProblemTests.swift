import TaskGraph
import Testing

@Suite struct ProblemTests {
  private let tasks: [DeclaredTask] = [
    .on(12, "build", .launch), .on(14, "deploy", .launch, needs: ["biuld"]), .on(16, "build", .active),
  ]

  @Test func `a problem describes itself to people`() {
    #expect(
      GraphProof.problems(in: tasks).map(\.description) == [
        "error: task 'deploy' needs 'biuld', which is not registered; did you mean 'build'?\n"
          + "  declared at App.swift:14:10\n  'build' is declared here at App.swift:12:1",
        "error: two tasks are named 'build'; give one of them another name with 'name:'\n"
          + "  declared at App.swift:16:1\n  'build' is first declared here at App.swift:12:1",
      ])
  }

  @Test func `a problem is told to a build tool on one line, whatever names are in it`() {
    let place = SourcePlace(path: "App.swift", line: 1, column: 2)
    let problem = Problem(
      code: "", message: "'a\u{B}b\u{2028}c' is wrong", place: place, notes: [.init("'a\r'", place: place)])
    #expect(
      problem.diagnostic == "App.swift:1:2: error: 'a\\u{b}b\\u{2028}c' is wrong\nApp.swift:1:2: note: 'a\\u{d}'")
  }

  @Test func `a problem names the tasks concerned, the one to repair first`() {
    #expect(GraphProof.problems(in: tasks).map(\.tasks) == [[1], [2, 0]])
  }

  @Test func `every mistake has its own code`() {
    let all: [DeclaredTask] =
      tasks + [
        .on(20, "Self", .launch, needs: ["Self"]), .on(21, "Late", .launch, needs: ["Save"]),
        .on(22, "Save", .terminate), .on(23, "Mixed", .launch, needs: ["Tick"], after: ["Tick", "Nothing"]),
        .on(24, "Tick", .schedule), .on(25, "App.Load", .launch),
        DeclaredTask(name: "Other.Load", module: "Other", occasions: [.launch]),
        .on(26, "Show", .launch, needs: ["Load"], branch: ["1": 0]),
        .on(27, "Hide", .launch, needs: ["Show"], branch: ["1": 1]),
      ]
    let problems = GraphProof.problems(in: all)
    #expect(
      Set(problems.map(\.code)) == [
        "taskGraph.afterWithoutEffect", "taskGraph.ambiguousName", "taskGraph.cycle",
        "taskGraph.dependencyInOtherBranch", "taskGraph.dependencyOnLaterEvent", "taskGraph.dependencyOnOtherKind",
        "taskGraph.duplicateName", "taskGraph.unknownDependency", "taskGraph.unmatchedAfter",
      ])
    #expect(problems.count == 9)
    #expect(problems.count { $0.severity == .warning } == 2)
  }

  @Test func `references are resolved in the order in which they are written`() {
    let proof = GraphProof([
      .on(1, "App.Load", .launch, branch: ["1": 0]), .on(2, "App.Load", .launch, branch: ["1": 1]),
      .on(3, "Show", .launch, needs: ["Missing", "Load"], after: [.task(3)], optional: ["Gone"]),
      .on(4, "Hide", .launch),
    ])
    #expect(proof.resolutions.map(\.dependencies) == [[], [], [[], [0, 1]], []])
    #expect(proof.resolutions.map(\.after) == [[], [], [[3], []], []])
  }
}
