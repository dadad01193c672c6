import TaskGraph
import Testing

/// Every message in full, as a person or a build reads it (Rt4, Rt5, Rt6, Rt7).
@Suite struct GraphProofTests {
  struct Case: CustomTestStringConvertible {
    var testDescription: String
    var tasks: [DeclaredTask]
    var expected: [String]

    init(_ description: String, _ tasks: [DeclaredTask], _ expected: String...) {
      testDescription = description
      self.tasks = tasks
      self.expected = expected
    }
  }

  @Test(arguments: names + occasions + cycles + orders + branches)
  func `a mistake is told in full`(example: Case) {
    #expect(GraphProof.problems(in: example.tasks).map(\.diagnostic) == example.expected)
  }

  private static let names: [Case] = [
    Case("no tasks", []),
    Case(
      "everything is right",
      [
        .on(1, "App.Load", .earlyLaunch), .on(2, "App.Open", .launch, needs: ["App.Load"]),
        .on(3, "App.Show", .launch, .active, needs: ["Open", .task(0)], after: ["App.Load"]),
      ],
      "App.swift:3:30: warning: task 'App.Show' of 'didFinishLaunching' and 'didBecomeActive' runs after 'App.Load', "
        + "a task of 'willFinishLaunching', but 'after' orders nothing between different occasions; remove it, or use "
        + "'dependencies' if 'App.Load' must have run\nApp.swift:1:1: note: 'App.Load' is declared here"),
    Case(
      "unknown, with something near",
      [.on(1, "build", .launch), .on(2, "deploy", .launch, needs: ["biuld"])],
      "App.swift:2:10: error: task 'deploy' needs 'biuld', which is not registered; did you mean 'build'?\n"
        + "App.swift:1:1: note: 'build' is declared here"),
    Case(
      "unknown, with nothing near",
      [.on(1, "build", .launch), .on(2, "deploy", .launch, needs: ["test"])],
      "App.swift:2:10: error: task 'deploy' needs 'test', which is not registered; register it, or remove the dependency"
    ),
    Case(
      "a number that is no task",
      [.on(1, "deploy", .launch, needs: [.task(1), .task(-1)])],
      "App.swift:1:10: error: task 'deploy' needs '#1', which is not registered; register it, or remove the dependency",
      "App.swift:1:20: error: task 'deploy' needs '#-1', which is not registered; register it, or remove the dependency"
    ),
    Case(
      "a task is not suggested to itself",
      [.on(1, "deploys", .launch, needs: ["deploy"])],
      "App.swift:1:10: error: task 'deploys' needs 'deploy', which is not registered; register it, or remove the "
        + "dependency"),
    Case(
      "after something unknown",
      [.on(1, "App.Load", .launch), .on(2, "App.Show", .launch, after: ["Laod", "Elsewhere"], optional: ["Gone"])],
      "App.swift:2:10: warning: task 'App.Show' runs after 'Laod', which is not registered; did you mean 'Load'? "
        + "if it may be absent, write '.optional(\"Laod\")'\nApp.swift:1:1: note: 'Load' is declared here",
      "App.swift:2:20: warning: task 'App.Show' runs after 'Elsewhere', which is not registered; if it may be absent, "
        + "write '.optional(\"Elsewhere\")'"),
    Case(
      "a name that three tasks share behind their modules",
      [
        DeclaredTask(name: "A.Load", module: "A", occasions: [.launch]),
        DeclaredTask(
          name: "B.Load", module: "B", occasions: [.launch], place: SourcePlace(path: "B.swift", line: 4, column: 1)),
        DeclaredTask(name: "C.Load", module: "C", occasions: [.launch]),
        .on(1, "App.Show", .launch, needs: ["Load"], after: ["Load"]), .on(2, "App.Hide", .launch, needs: ["B.Load"]),
      ],
      "App.swift:1:10: error: task 'App.Show' needs 'Load', which can be 'A.Load', 'B.Load' or 'C.Load'; write the full "
        + "name\nnote: 'A.Load' is declared here\nB.swift:4:1: note: 'B.Load' is declared here\n"
        + "note: 'C.Load' is declared here",
      "App.swift:1:20: error: task 'App.Show' runs after 'Load', which can be 'A.Load', 'B.Load' or 'C.Load'; write the "
        + "full name\nnote: 'A.Load' is declared here\nB.swift:4:1: note: 'B.Load' is declared here\n"
        + "note: 'C.Load' is declared here"),
    Case(
      "one name three times",
      [.on(1, "build", .launch), .on(2, "build", .active), .on(3, "build", .schedule)],
      "App.swift:2:1: error: two tasks are named 'build'; give one of them another name with 'name:'\n"
        + "App.swift:1:1: note: 'build' is first declared here",
      "App.swift:3:1: error: two tasks are named 'build'; give one of them another name with 'name:'\n"
        + "App.swift:1:1: note: 'build' is first declared here"),
  ]

  private static let occasions: [Case] = [
    Case(
      "a later event",
      [.on(1, "Save", .terminate), .on(2, "Load", .launch, needs: ["Save"])],
      "App.swift:2:10: error: task 'Load' of 'didFinishLaunching' cannot wait for 'Save', which runs at "
        + "'willTerminate', a later event; remove the dependency, or move one of the two tasks\n"
        + "App.swift:1:1: note: 'Save' is declared here"),
    Case(
      "each event of a task must be able to see what it needs",
      [.on(1, "Open", .launch, .active), .on(2, "Load", .active, .earlyLaunch, needs: ["Open"])],
      "App.swift:2:10: error: task 'Load' of 'willFinishLaunching' cannot wait for 'Open', which runs at "
        + "'didFinishLaunching' and 'didBecomeActive', later events; remove the dependency, or move one of the two "
        + "tasks\nApp.swift:1:1: note: 'Open' is declared here"),
    Case(
      "one earlier event of several is enough",
      [
        .on(1, "Open", .terminate, .earlyLaunch), .on(2, "Load", .launch, needs: ["Open"]),
        .on(3, "Show", .active, .background, needs: ["Load", "Refresh"]), .on(4, "Refresh", .background),
        .on(5, "Save", .terminate, needs: ["Show", "Refresh"]),
      ]),
    Case(
      "schedules and notifications come before the end",
      [
        .on(1, "Save", .terminate), .on(2, "Tick", .schedule, needs: ["Save"]),
        .on(3, "Recalculate", .notification("Prices"), needs: ["Save"]),
      ],
      "App.swift:2:10: error: schedule task 'Tick' cannot wait for 'Save', which runs at 'willTerminate', a later event; "
        + "remove the dependency, or move one of the two tasks\nApp.swift:1:1: note: 'Save' is declared here",
      "App.swift:3:10: error: task 'Recalculate' of notification 'Prices' cannot wait for 'Save', which runs at "
        + "'willTerminate', a later event; remove the dependency, or move one of the two tasks\n"
        + "App.swift:1:1: note: 'Save' is declared here"),
    Case(
      "schedules and notifications may need events and their own",
      [
        .on(1, "Load", .launch), .on(2, "Show", .active), .on(3, "Tick", .schedule, needs: ["Load", "Show"]),
        .on(4, "Tock", .schedule, needs: ["Tick", "Load"], after: ["Tick"]),
        .on(5, "Prices", .notification("Prices"), needs: ["Show"]),
        .on(6, "Totals", .notification("Prices"), needs: ["Prices"]),
      ]),
    Case(
      "an event task needs event tasks only",
      [
        .on(1, "Tick", .schedule), .on(2, "Prices", .notification("Prices")),
        .on(3, "Show", .active, needs: ["Tick", "Prices"]),
      ],
      "App.swift:3:10: error: task 'Show' of 'didBecomeActive' cannot wait for 'Tick', a schedule task; an event task "
        + "may need event tasks only; remove the dependency\nApp.swift:1:1: note: 'Tick' is declared here",
      "App.swift:3:20: error: task 'Show' of 'didBecomeActive' cannot wait for 'Prices', a task of notification "
        + "'Prices'; an event task may need event tasks only; remove the dependency\n"
        + "App.swift:2:1: note: 'Prices' is declared here"),
    Case(
      "schedule and notification tasks do not mix",
      [
        .on(1, "Tick", .schedule), .on(2, "Prices", .notification("Prices"), needs: ["Tick"]),
        .on(3, "Tock", .schedule, needs: ["Prices"]), .on(4, "News", .notification("News"), needs: ["Prices"]),
      ],
      "App.swift:2:10: error: task 'Prices' of notification 'Prices' cannot wait for 'Tick', a schedule task; a "
        + "notification task may need event tasks and tasks of the same notification; remove the dependency\n"
        + "App.swift:1:1: note: 'Tick' is declared here",
      "App.swift:3:10: error: schedule task 'Tock' cannot wait for 'Prices', a task of notification 'Prices'; a schedule "
        + "task may need event tasks and schedule tasks; remove the dependency\n"
        + "App.swift:2:1: note: 'Prices' is declared here",
      "App.swift:4:10: error: task 'News' of notification 'News' cannot wait for 'Prices', a task of notification "
        + "'Prices'; a notification task may need event tasks and tasks of the same notification; remove the "
        + "dependency\nApp.swift:2:1: note: 'Prices' is declared here"),
    Case(
      "after something of another occasion",
      [.on(1, "Tick", .schedule), .on(2, "Show", .active, optional: ["Tick"])],
      "App.swift:2:10: warning: task 'Show' of 'didBecomeActive' runs after 'Tick', a schedule task, but 'after' orders "
        + "nothing between different occasions; remove it, or use 'dependencies' if 'Tick' must have run\n"
        + "App.swift:1:1: note: 'Tick' is declared here"),
    Case(
      "after something that shares one of several events",
      [.on(1, "Load", .launch, .active), .on(2, "Show", .background, .active, after: ["Load"])]),
  ]

  private static let cycles: [Case] = [
    Case(
      "a task that needs itself",
      [.on(1, "Load", .launch, needs: ["Load"]), .on(2, "Show", .launch, after: ["Show"])],
      "App.swift:1:10: error: task 'Load' needs itself; remove this dependency",
      "App.swift:2:10: error: task 'Show' runs after itself; remove this dependency"),
    Case(
      "a cycle through both lists",
      [
        .on(1, "A", .launch, needs: ["B"]), .on(2, "B", .launch, after: ["C"]), .on(3, "C", .launch, needs: ["A"]),
        .on(4, "D", .launch, needs: ["A", "B", "C"]),
      ],
      "App.swift:1:10: error: these tasks wait for each other: 'A' needs 'B', 'B' runs after 'C', 'C' needs 'A'; remove "
        + "one of these dependencies\nApp.swift:2:10: note: 'B' runs after 'C' here\n"
        + "App.swift:3:10: note: 'C' needs 'A' here"),
    Case(
      "the stricter list is named, and its place",
      [.on(1, "A", .launch, needs: ["B"], after: ["B"]), .on(2, "B", .launch, needs: ["A"], after: ["A"])],
      "App.swift:1:10: error: these tasks wait for each other: 'A' needs 'B', 'B' needs 'A'; remove one of these "
        + "dependencies\nApp.swift:2:10: note: 'B' needs 'A' here"),
    Case(
      "two cycles that share a task are two mistakes",
      [
        .on(1, "A", .launch, needs: ["B"]), .on(2, "B", .launch, needs: ["A", "C"]), .on(3, "C", .launch, needs: ["B"]),
      ],
      "App.swift:1:10: error: these tasks wait for each other: 'A' needs 'B', 'B' needs 'A'; remove one of these "
        + "dependencies\nApp.swift:2:10: note: 'B' needs 'A' here",
      "App.swift:2:20: error: these tasks wait for each other: 'B' needs 'C', 'C' needs 'B'; remove one of these "
        + "dependencies\nApp.swift:3:10: note: 'C' needs 'B' here"),
    Case(
      "two cycles that share a step are one mistake",
      [
        .on(1, "A", .launch, needs: ["B"]), .on(2, "B", .launch, needs: ["A", "C"]), .on(3, "C", .launch, needs: ["A"]),
      ],
      "App.swift:1:10: error: these tasks wait for each other: 'A' needs 'B', 'B' needs 'A'; remove one of these "
        + "dependencies\nApp.swift:2:10: note: 'B' needs 'A' here"),
    Case(
      "a cycle over two events can never begin",
      [.on(1, "A", .active, needs: ["B"]), .on(2, "B", .background, needs: ["A"])],
      "App.swift:1:10: error: these tasks wait for each other: 'A' needs 'B', 'B' needs 'A'; remove one of these "
        + "dependencies\nApp.swift:2:10: note: 'B' needs 'A' here"),
    Case(
      "a cycle in two shared events is one mistake",
      [.on(1, "A", .active, .background, after: ["B"]), .on(2, "B", .background, .active, after: ["A"])],
      "App.swift:1:10: error: these tasks wait for each other: 'A' runs after 'B', 'B' runs after 'A'; remove one of "
        + "these dependencies\nApp.swift:2:10: note: 'B' runs after 'A' here"),
    Case(
      "after goes in a circle, but never in one event",
      [
        .on(1, "A", .launch, .active, after: ["B"]), .on(2, "B", .launch, .background, after: ["C"]),
        .on(3, "C", .active, .background, after: ["A"]),
      ]),
    Case(
      "two running events would wait for each other",
      [.on(1, "A", .active, after: ["B"]), .on(2, "B", .active, needs: ["C"]), .on(3, "C", .background, needs: ["A"])],
      "App.swift:1:10: error: these tasks wait for each other: 'A' runs after 'B', 'B' needs 'C', 'C' needs 'A'; remove "
        + "one of these dependencies\nApp.swift:2:10: note: 'B' needs 'C' here\n"
        + "App.swift:3:10: note: 'C' needs 'A' here"),
    Case(
      "an edge inside the same event wins",
      [
        .on(1, "A", .active, needs: ["B"]), .on(2, "B", .background, needs: ["C"]),
        .on(3, "C", .active, .background, after: ["A"]),
      ]),
    Case(
      "what is needed is a run that can have come before",
      [
        .on(1, "A", .active, needs: ["B"]), .on(2, "B", .background, .terminate, after: ["C"]),
        .on(3, "C", .terminate, needs: ["A"]),
      ]),
    Case(
      "schedule tasks, and tasks of one notification",
      [
        .on(1, "A", .schedule, needs: ["B"]), .on(2, "B", .schedule, after: ["A"]),
        .on(3, "C", .notification("n"), needs: ["D"]), .on(4, "D", .notification("n"), needs: ["C"]),
      ],
      "App.swift:1:10: error: these tasks wait for each other: 'A' needs 'B', 'B' runs after 'A'; remove one of these "
        + "dependencies\nApp.swift:2:10: note: 'B' runs after 'A' here",
      "App.swift:3:10: error: these tasks wait for each other: 'C' needs 'D', 'D' needs 'C'; remove one of these "
        + "dependencies\nApp.swift:4:10: note: 'D' needs 'C' here"),
  ]

  private static let orders: [Case] = [
    Case(
      "all at once, sorted by place, what has none last",
      [
        DeclaredTask(name: "Nowhere", module: "App", occasions: [.launch], dependencies: [Reference(.name("Missing"))]),
        .on(9, "Last", .launch, needs: ["Missing"]), .on(10, "A", .launch, needs: ["A"]),
        .on(3, "First", .launch, after: ["Missing"]),
      ],
      "App.swift:3:10: warning: task 'First' runs after 'Missing', which is not registered; if it may be absent, write "
        + "'.optional(\"Missing\")'",
      "App.swift:9:10: error: task 'Last' needs 'Missing', which is not registered; register it, or remove the "
        + "dependency",
      "App.swift:10:10: error: task 'A' needs itself; remove this dependency",
      "error: task 'Nowhere' needs 'Missing', which is not registered; register it, or remove the dependency"),
    Case(
      "a reference without a place stands for its task",
      [
        DeclaredTask(
          name: "A", module: "App", occasions: [.launch], dependencies: [Reference(.name("B"))],
          place: SourcePlace(path: "A.swift", line: 5, column: 0)),
        DeclaredTask(name: "B", module: "App", occasions: [.launch], after: [Reference(.task(0))]),
      ],
      "A.swift:5: error: these tasks wait for each other: 'A' needs 'B', 'B' runs after 'A'; remove one of these "
        + "dependencies\nnote: 'B' runs after 'A' here"),
  ]

  private static let branches: [Case] = [
    Case(
      "one name in two branches of one #if is no duplicate, and stands for both",
      [
        .on(1, "Load", .launch, branch: ["1": 0]), .on(2, "Load", .launch, branch: ["1": 1]),
        .on(3, "Show", .launch, needs: ["Load"]),
      ]),
    Case(
      "one name in a branch and outside of it is a duplicate",
      [.on(1, "Load", .launch, branch: ["1": 0]), .on(2, "Load", .launch), .on(3, "Load", .launch, branch: ["2": 1])],
      "App.swift:2:1: error: two tasks are named 'Load'; give one of them another name with 'name:'\n"
        + "App.swift:1:1: note: 'Load' is first declared here",
      "App.swift:3:1: error: two tasks are named 'Load'; give one of them another name with 'name:'\n"
        + "App.swift:1:1: note: 'Load' is first declared here"),
    Case(
      "a task sees those of its own branch",
      [
        .on(1, "Load", .terminate, branch: ["1": 0]), .on(2, "Load", .launch, branch: ["1": 1, "2": 0]),
        .on(3, "Show", .launch, needs: ["Load"], branch: ["1": 1]),
      ]),
    Case(
      "what stands in another branch is never there",
      [
        .on(1, "Load", .launch, branch: ["1": 0]),
        .on(2, "Show", .launch, needs: ["Load"], after: ["Load"], optional: ["Load"], branch: ["1": 1]),
      ],
      "App.swift:2:10: error: task 'Show' needs 'Load', which stands under a condition that excludes its own, so that no "
        + "build has both; remove the dependency, or move one of the two tasks\n"
        + "App.swift:1:1: note: 'Load' is declared here",
      "App.swift:2:20: warning: task 'Show' runs after 'Load', which stands under a condition that excludes its own, so that "
        + "no build has both; remove the dependency, or move one of the two tasks\n"
        + "App.swift:1:1: note: 'Load' is declared here"),
    Case(
      "each branch is proved",
      [
        .on(1, "Load", .terminate, branch: ["1": 0]), .on(2, "Load", .schedule, branch: ["1": 1]),
        .on(3, "Show", .launch, needs: ["Load"]),
      ],
      "App.swift:3:10: error: task 'Show' of 'didFinishLaunching' cannot wait for 'Load', which runs at 'willTerminate', "
        + "a later event; remove the dependency, or move one of the two tasks\n"
        + "App.swift:1:1: note: 'Load' is declared here",
      "App.swift:3:10: error: task 'Show' of 'didFinishLaunching' cannot wait for 'Load', a schedule task; an event task "
        + "may need event tasks only; remove the dependency\nApp.swift:2:1: note: 'Load' is declared here"),
    Case(
      "a circle over two branches of one #if is none",
      [
        .on(1, "A", .launch, needs: ["B"], branch: ["1": 0]), .on(2, "B", .launch, needs: ["C"]),
        .on(3, "C", .launch, needs: ["D"], branch: ["1": 1]), .on(4, "D", .launch, needs: ["A"]),
      ]),
    Case(
      "a longer cycle behind a circle that is none is found",
      [
        .on(1, "A", .launch, needs: ["B"], branch: ["1": 0]), .on(2, "B", .launch, needs: ["C"]),
        .on(3, "C", .launch, needs: ["D", "E"], branch: ["1": 1]), .on(4, "D", .launch, needs: ["A"]),
        .on(5, "E", .launch, needs: ["F"]), .on(6, "F", .launch, needs: ["G"]), .on(7, "G", .launch, needs: ["B"]),
      ],
      "App.swift:2:10: error: these tasks wait for each other: 'B' needs 'C', 'C' needs 'E', 'E' needs 'F', 'F' needs "
        + "'G', 'G' needs 'B'; remove one of these dependencies\nApp.swift:3:20: note: 'C' needs 'E' here\n"
        + "App.swift:5:10: note: 'E' needs 'F' here\nApp.swift:6:10: note: 'F' needs 'G' here\n"
        + "App.swift:7:10: note: 'G' needs 'B' here"),
  ]
}
