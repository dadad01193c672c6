import TaskScanner
import Testing

/// Types with `@DurableTask`.
@Suite struct KindTests {
  @Test func `kinds are added behind the tasks, each inside its conditions, and marked as collected`() {
    let app = """
      import TaskKit
      internal import TaskKitDurable
      @EventTask(event: .idle) enum First {}
      @DurableTask(kind: "upload", requires: [.network]) struct Upload { func run(_ context: DurableContext) {} }
      enum Mail {
        #if os(Linux)
        @TaskKitDurable.DurableTask(kind: "send") public struct `default` {}
        #endif
        @TaskKitDurable::DurableTask(kind: "old") @available(*, deprecated) struct Old {}
        @DurableTask(kind: "new") @available(macOS 26, *) struct New {}
        @DurableTask(kind: "never") @available(*, unavailable) struct Never {}
      }
      """
    let found = generate(["App.swift": app])
    #expect(found.diagnostics == [])
    let text = found.text ?? ""
    #expect(text.contains("public import TaskKit\ninternal import TaskKitDurable\n"))
    #expect(
      text.contains(
        """
        public nonisolated func _taskKit_App() -> TaskKit::ModuleTasks {
          var _tasks = TaskKit::ModuleTasks(module: "App", imports: [], count: 1)
          _taskKit_App_0(&_tasks)
          _taskKit_App_Kinds0(&_tasks)
          (_taskKit_App_Deprecated.self as any _taskKit_App_Adding.Type).add(to: &_tasks)
          return _tasks
        }

        private nonisolated func _taskKit_App_0(_ _tasks: inout TaskKit::ModuleTasks) {
          _tasks.add(First.registration, at: 0)
        }

        private nonisolated func _taskKit_App_Kinds0(_ _tasks: inout TaskKit::ModuleTasks) {
          _tasks.add(Upload.registration)
        #if os(Linux)
          _tasks.add(Mail.`default`.registration)
        #endif
          if #available(macOS 26, *) { _tasks.add(Mail.New.registration) }
        }
        """))
    #expect(
      text.contains(
        """
          @available(*, deprecated)
          static func add(to _tasks: inout TaskKit::ModuleTasks) {
            _tasks.add(Mail.Old.registration)
          }
        """))
    #expect(
      text.contains(
        """
        extension First { nonisolated static var _isCollected: () { () } }
        extension Upload { nonisolated static var _isCollected: () { () } }
        #if os(Linux)
        extension Mail.`default` { nonisolated static var _isCollected: () { () } }
        #endif
        @available(*, deprecated)
        extension Mail.Old { nonisolated static var _isCollected: () { () } }
        """))
  }

  @Test func `a module whose only declarations are kinds is collected too, and in what depends on it`() {
    let core = "import TaskKitDurable\n@DurableTask(kind: \"upload\") public struct Upload {}"
    let own = generate(["App.swift": core]).text
    #expect(own?.contains("public import TaskKit\nimport TaskKitDurable\n") == true)
    #expect(own?.contains("_taskKit_App(),") == true)
    let other = generate(
      ["main.swift": "import TaskKit\nimport Core"], dependencies: [(name: "Core", files: ["Core.swift": core])])
    #expect(other.diagnostics == [])
    #expect(other.text?.contains("_taskKit_Core(),") == true)
    // Only who names kinds needs their library.
    #expect(other.text?.contains("TaskKitDurable") == false)
  }

  @Test(arguments: [
    (
      "@DurableTask struct A {}",
      ["App.swift:1:1: error: '@DurableTask' does not say by which name its jobs are stored, for years; add 'kind:'"]
    ),
    (
      "@DurableTask(kind: \"\") struct A {}",
      ["App.swift:1:20: error: 'kind:' is empty, and it is the name by which jobs are stored; write one"]
    ),
    (
      "@DurableTask(kind: name) struct A {}",
      [
        "App.swift:1:20: error: 'kind:' is not a plain string literal, which the build needs to read it; write the kind "
          + "between quotes"
      ]
    ),
    (
      "func f() { @DurableTask(kind: \"a\") struct A {} }",
      ["App.swift:1:43: error: 'A' is declared inside a function, where the registry cannot see it; move it out"]
    ),
    (
      "struct A<B> {}\nextension A { @DurableTask(kind: \"a\") struct C {} }",
      [
        "App.swift:2:46: error: 'C' is declared in 'A', which is generic, and a task is one type; move it out\n"
          + "App.swift:1:8: note: 'A' is declared here"
      ]
    ),
    (
      "@DurableTask(kind: \"a\") extension A {}",
      [
        "App.swift:1:1: error: '@DurableTask' declares a kind of job by a type, and this is an extension; move it to a "
          + "struct, enum or final class with a 'run'"
      ]
    ),
  ])
  func `what is wrong with a kind is said at its place`(text: String, expected: [String]) {
    #expect(generate(["App.swift": text]).diagnostics == expected)
  }

  @Test func `a kind that two types declare is an error at both places`() {
    let text = """
      @DurableTask(kind: "upload") struct A {}
      enum B {
        @DurableTask(queue: "x", kind: "upload") struct C {}
      }
      """
    #expect(
      generate(["App.swift": text]).diagnostics == [
        """
        App.swift:1:20: error: kind 'upload' is declared by 'A' and by 'B.C'; give one of them another kind, and remember \
        that stored jobs keep theirs
        App.swift:3:34: note: the other one is here
        """,
        """
        App.swift:3:34: error: kind 'upload' is declared by 'B.C' and by 'A'; give one of them another kind, and remember \
        that stored jobs keep theirs
        App.swift:1:20: note: the other one is here
        """,
      ])
  }

  @Test func `a kind that another module declares is an error at both places`() {
    let kind = "@DurableTask(kind: \"upload\") public struct Upload {}"
    let found = generate(["App.swift": kind], dependencies: [(name: "Core", files: ["Core.swift": kind])])
    #expect(found.text == nil)
    #expect(
      found.diagnostics == [
        """
        App.swift:1:20: error: kind 'upload' is declared by 'App.Upload' and by 'Core.Upload'; give one of them another \
        kind, and remember that stored jobs keep theirs
        Core.swift:1:20: note: the other one is here
        """,
        """
        Core.swift:1:20: error: kind 'upload' is declared by 'Core.Upload' and by 'App.Upload'; give one of them another \
        kind, and remember that stored jobs keep theirs
        App.swift:1:20: note: the other one is here
        """,
      ])
  }

  @Test func `a durable schedule is a kind, and no task`() {
    let text = """
      import TaskKit
      import TaskKitDurable
      @ScheduleTask(name: "digest", daily: "02:30", durable: true) struct Digest {}
      @ScheduleTask(every: .seconds(1)) enum Plain {}
      """
    let found = generate(["App.swift": text])
    #expect(found.diagnostics == [])
    #expect(found.text?.contains("_tasks.add(Digest.registration)\n") == true)
    #expect(found.text?.contains("_tasks.add(Plain.registration, at: 0)") == true)
  }

  @Test func `two durable schedules of one name are a kind that two types declare`() {
    let text = """
      import TaskKitDurable
      @DurableTask(kind: "digest") struct A {}
      @ScheduleTask(name: "digest", every: .seconds(1), durable: true) struct B {}
      @ScheduleTask(every: .seconds(1), durable: true) struct C {}
      @DurableTask(kind: "App.C") struct D {}
      """
    #expect(
      generate(["App.swift": text]).diagnostics.map { $0.prefix { $0 != ";" } } == [
        "App.swift:2:20: error: kind 'digest' is declared by 'A' and by 'B'",
        "App.swift:3:21: error: kind 'digest' is declared by 'B' and by 'A'",
        "App.swift:4:1: error: kind 'App.C' is declared by 'C' and by 'D'",
        "App.swift:5:20: error: kind 'App.C' is declared by 'D' and by 'C'",
      ])
  }

  @Test(arguments: [
    ("overlap: .skip", "each occurrence is a job of its own; say 'unique: .one()' or 'limit: 1', or remove it"),
    ("counting: .slots", "'count' is of the jobs that are made; remove it"),
    ("pace: .fixedDelay", "its intervals are counted from slot to slot; remove it"),
    ("clock: .suspending", "its intervals count by the calendar, which goes on while no process runs; remove it"),
    ("tolerance: .seconds(1)", "its occurrences are written down when they come; remove it"),
    ("dependencies: [B.self]", "its jobs wait for no tasks; remove it"),
    ("after: [\"B\"]", "its jobs wait for no tasks; remove it"),
    ("timeout: .seconds(1)", "how long an attempt may take is its 'deadline'; write that"),
    ("retry: .attempts(2)", "how its jobs are tried again, 'attempts' and 'backoff' say; write those"),
    (
      "onFailure: .stopEvent",
      "no tasks wait for its jobs; say in 'exhaustion' what becomes of one that failed, or remove it"
    ),
    ("runs: .once", "how often it runs in all is its 'count'; write that"),
    ("runs: .once, count: 3", "how often it runs in all is its 'count'; write that"),
    ("lane: .network", "its jobs wait in a 'queue', and 'limit' says how many run at a time; write those"),
    ("kind: \"mail\"", "its jobs are of the kind that 'name' says; write that"),
    (
      "keyLimit: .by(\\.a)",
      "its jobs are all alike; say 'unique: .one(.append)' to run one after the other, or remove it"
    ),
    ("parentFailure: .ignore", "its jobs have no parents; remove it"),
  ])
  func `an option that a durable schedule has not is refused where it stands`(option: String, reason: String) {
    let label = option.prefix { $0 != ":" }
    let message = "error: '\(label)' is no option of a durable schedule: \(reason)"
    let other = "@EventTask(event: .idle) enum B {}"
    for (schedule, place) in [("\(option), durable: true", "4:35"), ("durable: true, \(option)", "4:50")] {
      let text = """
        import TaskKit
        import TaskKitDurable
        \(other)
        @ScheduleTask(every: .seconds(1), \(schedule)) struct A {}
        """
      #expect(generate(["App.swift": text]).diagnostics == ["App.swift:\(place): \(message)"])
      // An ordinary one, or a kind, has it; what else is wrong with that is none of its business.
      #expect(
        !generate(["App.swift": text.replacing("durable: true", with: "name: \"a\"")]).diagnostics.contains {
          $0.contains("no option")
        })
    }
  }

  @Test func `what a durable schedule has is left alone`() {
    let options = [
      "name: \"a\"", "every: .seconds(1)", "count: 3", "first: .immediately", "missed: .skip", "grace: .seconds(1)",
      "jitter: .none", "durable: true", "queue: \"q\"", "priority: .high", "requires: []", "requiresFor: nil",
      "cancelsWhenLost: true", "attempts: 3", "backoff: .default", "deadline: nil", "unique: .one()", "limit: 1",
      "crashes: 3", "exhaustion: .keep", "durability: .full", "retention: .default", "store: nil",
    ]
    let text = "import TaskKitDurable\n@ScheduleTask(\(options.joined(separator: ", "))) struct A {}"
    #expect(generate(["App.swift": text]).diagnostics == [])
  }

  @Test func `a durable schedule in a file that does not import the library is an error`() {
    let text = "import TaskKit\n@ScheduleTask(every: .seconds(1), durable: true) struct A {}"
    #expect(
      generate(["App.swift": text]).diagnostics == [
        "App.swift:2:44: error: a durable schedule needs TaskKitDurable, which this file does not import; add "
          + "'.product(name: \"TaskKitDurable\", package: \"TaskKit\")' to its target and 'import TaskKitDurable', or remove "
          + "'durable:'"
      ])
    // By way of another module it may be there.
    let core = "@_exported public import TaskKitDurable"
    let app = "import Core\n" + text
    #expect(generate(["App.swift": app], dependencies: [(name: "Core", files: ["Core.swift": core])]).diagnostics == [])
    #expect(generate(["App.swift": text], isComplete: false).diagnostics == [])
    // Or by way of another file of its own module.
    let files = ["App.swift": text, "Exports.swift": "@_exported import TaskKitDurable"]
    #expect(generate(files).diagnostics == [])
  }

  @Test func `types of one kind in exclusive branches are no mistake`() {
    let text = """
      #if os(Linux)
      @DurableTask(kind: "upload") struct A {}
      #else
      @DurableTask(kind: "upload") struct A {}
      #endif
      """
    let found = generate(["App.swift": text])
    #expect(found.diagnostics == [])
    #expect(found.text?.count(of: "_tasks.add(A.registration)") == 2)
  }
}

extension String {
  /// How often a part stands in it.
  fileprivate func count(of part: String) -> Int { ranges(of: part).count }
}
