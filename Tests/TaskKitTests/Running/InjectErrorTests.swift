import TaskGraph
@testable import TaskKit
import TaskKitTesting
import Testing

/// What an injection is refused for, in the words of the build, and that nothing has changed then (Rt4-Rt6, Rt28).
@Suite struct InjectErrorTests {
  /// A center of a few tasks, for the definitions of a case to clash with.
  private func center() throws -> TaskCenter {
    try TaskCenter.with([
      .event(.willFinishLaunching, name: "config") { _ in },
      .event(.alpha, name: "refresh", dependencies: ["config"]) { _ in },
      .event(.willTerminate, name: "save") { _ in },
    ])
  }

  struct Case: CustomTestStringConvertible {
    let testDescription: String
    let definitions: [TaskDefinition]
    let messages: [String]
  }

  private static let cases: [Case] = [
    Case(
      testDescription: "a name that is taken", definitions: [.event(.beta, name: "refresh") { _ in }],
      messages: [
        "two tasks are named 'refresh'; give one of them another name with 'name:', or write 'replacing: true', with which "
          + "the new one takes the place of the other"
      ]),
    Case(
      testDescription: "a name twice in one call",
      definitions: [.event(.beta, name: "new") { _ in }, .event(.beta, name: "new") { _ in }],
      messages: ["two tasks are named 'new'; give one of them another name with 'name:'"]),
    Case(
      testDescription: "an unknown dependency that is nearly known",
      definitions: [.event(.beta, name: "new", dependencies: ["refrehs"]) { _ in }],
      messages: ["task 'new' needs 'refrehs', which is not registered; did you mean 'refresh'?"]),
    Case(
      testDescription: "an unknown dependency",
      definitions: [.event(.beta, name: "new", dependencies: ["something else"]) { _ in }],
      messages: [
        "task 'new' needs 'something else', which is not registered; register it, or remove the dependency"
      ]),
    Case(
      testDescription: "a timeout that nothing can meet",
      definitions: [.event(.beta, name: "new", timeout: .zero) { _ in }],
      messages: ["a timeout of '0.0 seconds' is over before task 'new' starts; write a longer one"]),
    Case(
      testDescription: "no attempt at all",
      definitions: [.event(.beta, name: "new", retry: .attempts("12".count - 2)) { _ in }],
      messages: ["a task is tried at least once, and 'attempts' of task 'new' is 0; write 1 or more"]),
    Case(
      testDescription: "a dependency twice",
      definitions: [.event(.beta, name: "new", dependencies: ["config", "refresh", "config"]) { _ in }],
      messages: ["dependency 'config' of task 'new' is listed twice; remove one of them"]),
    Case(
      testDescription: "a name in 'after' twice",
      definitions: [.event(.alpha, name: "new", after: ["refresh", .optional("refresh")]) { _ in }],
      messages: ["'refresh' is listed twice in 'after:' of task 'new'; remove one of them"]),
    Case(
      testDescription: "no event", definitions: [.events([LifecycleEvent<Void, Void>](), name: "new") { _ in }],
      messages: ["task 'new' names no event; add one, as in '.didFinishLaunching'"]),
    Case(
      testDescription: "an event twice",
      definitions: [.events([.alpha, .beta, .init("alpha")], name: "new") { _ in }],
      messages: ["event 'alpha' of task 'new' is listed twice, so the task would run twice; remove one of them"]),
    Case(
      testDescription: "an event twice among others of other payloads",
      definitions: [.events(.alpha, .willFinishLaunching, .alpha, name: "new") {}],
      messages: ["event 'alpha' of task 'new' is listed twice, so the task would run twice; remove one of them"]),
    Case(
      testDescription: "one of several events with another payload",
      definitions: [.events([LifecycleEvent<Int, Void>("alpha"), .init("gamma")], name: "new") { _ in }],
      messages: ["event 'alpha' carries () in one place and Int in another; give one of them another name"]),
    Case(
      testDescription: "one of several events that can only come earlier",
      definitions: [.events([.alpha, .willTerminate], name: "new", dependencies: ["save"]) { _ in }],
      messages: [
        "task 'new' of 'alpha' cannot wait for 'save', which runs at 'willTerminate', a later event; remove the "
          + "dependency, or move one of the two tasks"
      ]),
    Case(
      testDescription: "a dependency on itself",
      definitions: [.event(.beta, name: "new", dependencies: ["new"]) { _ in }],
      messages: ["task 'new' needs itself; remove this dependency"]),
    Case(
      testDescription: "after itself", definitions: [.event(.beta, name: "new", after: ["new"]) { _ in }],
      messages: ["task 'new' runs after itself; remove this dependency"]),
    Case(
      testDescription: "a cycle",
      definitions: [
        .event(.beta, name: "one", dependencies: ["two"]) { _ in },
        .event(.beta, name: "two", dependencies: ["three"]) { _ in },
        .event(.beta, name: "three", dependencies: ["one"]) { _ in },
      ],
      messages: [
        "these tasks wait for each other: 'one' needs 'two', 'two' needs 'three', 'three' needs 'one'; remove one of "
          + "these dependencies"
      ]),
    Case(
      testDescription: "a cycle through 'after'",
      definitions: [
        .event(.beta, name: "one", dependencies: ["two"]) { _ in },
        .event(.beta, name: "two", after: ["one"]) { _ in },
      ],
      messages: [
        "these tasks wait for each other: 'one' needs 'two', 'two' runs after 'one'; remove one of these dependencies"
      ]),
    Case(
      testDescription: "a dependency on an event that can only come later",
      definitions: [.event(.alpha, name: "new", dependencies: ["save"]) { _ in }],
      messages: [
        "task 'new' of 'alpha' cannot wait for 'save', which runs at 'willTerminate', a later event; remove the "
          + "dependency, or move one of the two tasks"
      ]),
    Case(
      testDescription: "an event with another payload",
      definitions: [.event(LifecycleEvent<Int, Void>("alpha"), name: "new") { _ in }],
      messages: [
        "event 'alpha' carries () in one place and Int in another; give one of them another name"
      ]),
    Case(
      testDescription: "an event that happens once here and repeatedly there",
      definitions: [.event(LifecycleEvent<Void, Void>("alpha", once: true), name: "new") { _ in }],
      messages: [
        "event 'alpha' happens once in one place and repeatedly in another; declare it in one place"
      ]),
    Case(
      testDescription: "an event with another reply",
      definitions: [.event(LifecycleEvent<Void, Bool>("alpha", reply: .any), name: "new") { _ in }],
      messages: [
        "event 'alpha' is answered with nothing in one place and Bool in another; give one of them another name"
      ]),
    Case(
      testDescription: "everything at once",
      definitions: [
        .event(.beta, name: "refresh", dependencies: ["nobody"]) { _ in },
        .event(.beta, name: "new", dependencies: ["new"]) { _ in },
      ],
      messages: [
        "two tasks are named 'refresh'; give one of them another name with 'name:', or write 'replacing: true', with which "
          + "the new one takes the place of the other",
        "task 'refresh' needs 'nobody', which is not registered; register it, or remove the dependency",
        "task 'new' needs itself; remove this dependency",
      ]),
  ]

  @Test(arguments: cases)
  func `each mistake has its words, and nothing has changed`(mistake: Case) async throws {
    let center = try center()
    let good = TaskDefinition.event(.beta, name: "good") { _ in }
    let error = #expect(throws: TaskGraphError.self) { try center.inject([good] + mistake.definitions) }
    #expect(error?.sentences == mistake.messages)
    #expect(await center.send(.beta).tasks.isEmpty)
    await center.send(.willFinishLaunching, LaunchOptions())
    #expect(await center.send(.alpha).outcomes == ["refresh": "succeeded"])
    // The good one alone is as welcome as before.
    try center.inject(good)
    #expect(await center.send(.beta).outcomes == ["good": "succeeded"])
  }

  @Test func `a name that two new tasks have is not offered to be replaced, nor where that was asked for`() throws {
    let twice: [TaskDefinition] = [.event(.beta, name: "refresh") { _ in }, .event(.beta, name: "refresh") { _ in }]
    let error = #expect(throws: TaskGraphError.self) { try self.center().inject(twice, replacing: true) }
    #expect(error?.sentences == ["two tasks are named 'refresh'; give one of them another name with 'name:'"])
    let center = try center()
    try center.inject(twice[0], replacing: true)
    #expect(throws: TaskGraphError.self) { try center.inject(twice[0]) }
  }

  @Test func `the description names the place of the injection and of the other task`() throws {
    let center = TaskCenter(time: .virtual(VirtualClock()))
    try center.inject(.event(.alpha, name: "task", fileID: "App/First.swift", line: 3, column: 5) { _ in })
    let error = #expect(throws: TaskGraphError.self) {
      try center.inject(.event(.alpha, name: "task", fileID: "App/Second.swift", line: 7, column: 9) { _ in })
    }
    #expect(
      error?.description == """
        error: two tasks are named 'task'; give one of them another name with 'name:', or write 'replacing: true', with \
        which the new one takes the place of the other
          declared at App/Second.swift:7:9
          'task' is first declared here at App/First.swift:3:5
        """)
  }

  @Test func `a short name that two modules have is ambiguous`() throws {
    let modules = [
      ModuleTasks.of("News", [.event(.alpha, name: "News.Refresh") { _ in }]),
      ModuleTasks.of("Sport", [.event(.alpha, name: "Sport.Refresh") { _ in }]),
    ]
    let center = TaskCenter(registry: try TaskRegistry(modules: modules), time: .virtual(VirtualClock()))
    let error = #expect(throws: TaskGraphError.self) {
      try center.inject(.event(.alpha, name: "new", dependencies: ["Refresh"]) { _ in })
    }
    #expect(
      error?.sentences == [
        "task 'new' needs 'Refresh', which can be 'News.Refresh' or 'Sport.Refresh'; write the full name"
      ])
  }

  @Test func `a replacement that would close a cycle is refused, and the old one stays, Rt4`() async throws {
    let center = try TaskCenter.with([
      .event(.alpha, name: "base") { _ in },
      .event(.alpha, name: "needy", dependencies: ["base"]) { _ in },
    ])
    let error = #expect(throws: TaskGraphError.self) {
      try center.inject(.event(.alpha, name: "base", dependencies: ["needy"]) { _ in }, replacing: true)
    }
    #expect(
      error?.sentences == [
        "these tasks wait for each other: 'needy' needs 'base', 'base' needs 'needy'; remove one of these dependencies"
      ])
    #expect(await center.send(.alpha).names == ["base", "needy"])
  }

  @Test func `a blank name is refused, whatever it is of`() throws {
    let center = TaskCenter()
    let cases: [(TaskDefinition, String)] = [
      (.event(.alpha, name: " ") { _ in }, "a task has a blank name; write one"),
      (
        .event(LifecycleEvent<Void, Void>("\t"), name: "a") { _ in },
        "the event of task 'a' has a blank name; write one"
      ),
      (.event(.alpha, name: "a", lane: Lane("")) { _ in }, "the lane of task 'a' has a blank name; write one"),
      (
        .notification("  ", name: "a") { _ in },
        "the notification of task 'a' has a blank name; write the name with which it is posted"
      ),
    ]
    for (definition, sentence) in cases {
      let error = #expect(throws: TaskGraphError.self) { try center.inject(definition) }
      #expect(error?.sentences == [sentence])
    }
  }

  @Test func `a name in 'after' that nobody has is no error`() async throws {
    let center = try TaskCenter.with([
      .event(.alpha, name: "task", after: ["nobody", .optional("nobody else")]) { _ in }
    ])
    #expect(await center.send(.alpha).isSuccess)
  }

  @Test func `a send of an event that is registered with another payload is refused`() async throws {
    let center = try center()
    let report = await center.send(LifecycleEvent<Int, Void>("alpha"), 1)
    #expect(
      report.status
        == .refused("event 'alpha' carries () in one place and Int in another; give one of them another name"))
    #expect(report.tasks.isEmpty)
  }

  @Test(arguments: [
    (
      TaskDefinition.event(LifecycleEvent<Int, Void>("alpha"), name: "odd") { _ in },
      "event 'alpha' carries () in one place and Int in another; give one of them another name"
    ),
    (
      TaskDefinition.event(LifecycleEvent<Void, Void>("alpha", once: true), name: "odd") { _ in },
      "event 'alpha' happens once in one place and repeatedly in another; declare it in one place"
    ),
  ])
  func `in a registry that nobody proved, the task that means another event by a name fails and says so`(
    odd: TaskDefinition, sentence: String
  ) async throws {
    let first = TaskDefinition.event(.alpha, name: "first") { _ in }
    let last = TaskDefinition.event(.alpha, name: "last") { _ in }
    for modules in [
      [ModuleTasks.of("One", [first, odd, last])],
      [.of("One", [first]), .of("Other", [odd, last])],
    ] {
      let center = TaskCenter(registry: TaskRegistry(__proved: modules))
      for _ in 0..<2 {
        let report = await center.send(.alpha)
        #expect(report.outcomes == ["first": "succeeded", "odd": "failed: \(sentence)", "last": "succeeded"])
      }
      // What comes meanwhile and has no part in it is not refused for it.
      try center.inject([
        .event(.beta, name: "new", dependencies: ["first"]) { _ in },
        .event(.beta, name: "held", lane: Lane("line", opens: .after(.alpha))) { _ in },
        .event(.beta, name: "behind", dependencies: ["held"]) { _ in },
      ])
      // It can be put right while the program runs.
      try center.destroy("odd")
      try center.inject(.event(.alpha, name: "even") { _ in })
      #expect(await center.send(.alpha).isSuccess)
    }
  }

  @Test func `problems of all kinds are sorted by place`() throws {
    let center = try center()
    let error = #expect(throws: TaskGraphError.self) {
      try center.inject([
        .event(.alpha, name: "one", timeout: .zero, fileID: "Tests/A.swift") { _ in },
        .event(.alpha, name: "two", dependencies: ["nobody"], fileID: "Tests/B.swift") { _ in },
      ])
    }
    #expect(error?.problems.map(\.place?.path) == ["Tests/A.swift", "Tests/B.swift"])
  }
}
