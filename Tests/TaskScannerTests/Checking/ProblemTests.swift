import TaskScanner
import Testing

/// A source with what is wrong in it, and exactly what the build then prints.
@Suite struct ProblemTests {
  @Test(arguments: [
    (
      "fileprivate extension B {\n  @EventTask(event: .idle) enum A {}\n}",
      "App.swift:2:33: error: 'A' is declared in 'B', which is private, so the registry in another file cannot see it; "
        + "make 'B' internal, or move the task out"
    ),
    (
      "func f() {\n  @EventTask(event: .idle) enum A {}\n}",
      "App.swift:2:33: error: 'A' is declared inside a function, where the registry cannot see it; move it out"
    ),
    (
      "struct B<T> { @EventTask(event: .idle) enum A {} }",
      "App.swift:1:45: error: 'A' is declared in 'B', which is generic, and a task is one type; move it out"
    ),
    (
      "extension B where C == D { @EventTask(event: .idle) enum A {} }",
      "App.swift:1:58: error: 'A' is declared in 'B', which is generic, and a task is one type; move it out"
    ),
    (
      "extension Array { @EventTask(event: .idle) enum A {} }",
      "App.swift:1:49: error: 'A' is declared in 'Array', which is generic, and a task is one type; move it out"
    ),
    (
      "extension Swift.Result { @EventTask(event: .idle) enum A {} }",
      "App.swift:1:56: error: 'A' is declared in 'Swift.Result', which is generic, and a task is one type; move it out"
    ),
    (
      "@EventTask(event: .idle) protocol A {}",
      "App.swift:1:1: error: '@EventTask' declares a task by a type, and this is a protocol; move it to an enum, struct, "
        + "class or actor with a 'run'"
    ),
  ])
  func `a type that cannot be collected is refused at its name`(text: String, expected: String) {
    #expect(generate(["App.swift": text]).diagnostics == [expected])
  }

  @Test(arguments: ["Array", "Result.Inner", "Set"])
  func `a type of one's own that is called like a generic one of Swift's has tasks`(name: String) {
    let outer = name.split(separator: ".")[0]
    let found = generate([
      "A.swift": "enum \(outer) { enum Inner {} }",
      "B.swift": "extension \(name) { @EventTask(event: .idle) enum A {} }",
    ])
    #expect(found.diagnostics == [])
    #expect(found.text?.contains("\(name).A.registration") == true)
  }

  @Test(arguments: ["@`EventTask`", "@TaskKit.`EventTask`", "@TaskKit . EventTask", "@TaskKit::`EventTask`"])
  func `an annotation counts however its name is written`(attribute: String) {
    let found = generate(["A.swift": "\(attribute)(event: .idle) enum A {}"])
    #expect(found.diagnostics == [])
    #expect(found.text?.contains("A.registration") == true)
  }

  @Test(arguments: [
    "event: LifecycleEvent<Int, Void> (\"placed\")", "event: .init (\"placed\")",
    "event: .idle, after: [.optional (\"B\")]", "event: .idle, after: [.optional /* at last */ (\"B\")]",
  ])
  func `a call counts whatever blanks are in it`(arguments: String) {
    let found = generate(["A.swift": "@EventTask(\(arguments)) enum A {}"])
    #expect(found.diagnostics == [])
    #expect(found.text?.contains("A.registration") == true)
  }

  @Test func `an event that is called behind a blank is the same event`() {
    let events = "extension LifecycleEvent<Int, Void> { static var x: Self { .init (\"x\") } }"
    let task = "@EventTask(event: LifecycleEvent<String, Void> (\"x\")) enum A {}"
    let found = generate(["A.swift": events, "B.swift": task]).diagnostics
    #expect(found.count == 1)
    #expect(found.first?.hasPrefix("B.swift:1:19: error: event 'x' carries 'String' here and 'Int'") == true)
  }

  @Test(
    arguments: [
      ("#if DEBUG\n@ScheduleTask(every: .seconds(1))\n#endif\n", "App.swift:3:1"),
      ("@ScheduleTask(every: .seconds(1))\n", nil),
    ] as [(String, String?)])
  func `a second annotation in an '#if' of its own is refused, since no macro sees it there`(
    second: String, place: String?
  ) {
    let found = generate(["App.swift": "@EventTask(event: .idle)\n\(second)enum A {}"]).diagnostics
    #expect(found.map { $0.prefix { $0 != " " } } == (place.map { ["\($0):"] } ?? []), "\(found)")
  }

  @Test(arguments: [
    ("#\"First\"#", true), ("\"\"\"\n  First\n  \"\"\"", true), ("First.self", false), ("\"A\" + \"B\"", false),
  ])
  func `a name that is a literal of another form is left to the macro, which can write it plainly`(
    name: String, isLeft: Bool
  ) {
    let found = generate(["App.swift": "@EventTask(event: .idle, after: [\(name)]) enum A {}"]).diagnostics
    #expect(found.isEmpty == isLeft, "\(found)")
  }

  @Test(arguments: [
    ("priority: .high", "1: error: '@EventTask' names no event; add one, as in 'event: .didFinishLaunching'"),
    (
      "event: .idle, events: .a, .b",
      "26: error: 'event:' and 'events:' are both given; list all events behind 'events:'\n"
        + "App.swift:1:12: note: 'event:' is here"
    ),
    (
      "events: [.a, .b]",
      "20: error: events are not written in an array, because each has its own payload; write 'events: .first, .second'"
    ),
    (
      "event: make()",
      "19: error: 'make()' does not tell the build which event it is; write a static member such as "
        + "'.didFinishLaunching', or 'LifecycleEvent<Payload, Void>(\"name\")'"
    ),
    (
      "event: LifecycleEvent<Int, Void>(\n  name,\n  once: true)",
      "19: error: 'LifecycleEvent<Int, Void>(…' does not tell the build which event it is; write a static member such as "
        + "'.didFinishLaunching', or 'LifecycleEvent<Payload, Void>(\"name\")'"
    ),
    (
      "event: .idle, dependencies: [make(\r\n  1\r\n)]",
      "41: error: 'make(…' does not tell the build which task it is; write 'Type.self'"
    ),
    (
      "event: .idle, dependencies: [B  // the first\n  . C.self]",
      "41: error: task 'App.A' needs 'B.C', which is not declared in module 'App' or in one that it depends on"
    ),
    (
      "event: .idle, dependencies: list",
      "40: error: 'dependencies:' is not an array literal, which the build needs to read it; write "
        + "'[First.self, Second.self]'"
    ),
    (
      "event: .idle, dependencies: [B.self] + [C.self]",
      "40: error: 'dependencies:' is not an array literal, which the build needs to read it; write "
        + "'[First.self, Second.self]'"
    ),
    (
      "event: .idle, dependencies: [\"B\"]",
      "41: error: \"B\" is a name, and a dependency is a type; write 'Type.self', or use 'after:'"
    ),
    ("event: .idle, dependencies: [b]", "41: error: 'b' does not tell the build which task it is; write 'Type.self'"),
    (
      "event: .idle, after: names",
      "33: error: 'after:' is not an array literal, which the build needs to read it; write "
        + "'[\"First\", .optional(\"Second\")]'"
    ),
    (
      "event: .idle, after: [B.self]",
      "34: error: 'B.self' is a type, and 'after:' takes names; write a string, or use 'dependencies:'"
    ),
    (
      "event: .idle, after: [name]",
      "34: error: 'name' does not tell the build which task it is; write a plain string literal or "
        + "'.optional(\"Name\")'"
    ),
  ])
  func `what the build cannot read, or cannot be meant, is refused at the token`(arguments: String, expected: String) {
    let text = "@EventTask(\(arguments)) enum A {}"
    #expect(generate(["App.swift": text]).diagnostics.first == "App.swift:1:\(expected)")
  }

  @Test(arguments: [
    (
      "every: .seconds(1), cron: \"* * * * *\"",
      "35: error: 'every' and 'cron' contradict each other; remove one of them\nApp.swift:1:15: note: 'every' is here"
    ),
    (
      "every: .seconds(1), count: 3, runs: .once",
      "45: error: 'count: 3' and 'runs: .once' contradict each other; remove one of them\n"
        + "App.swift:1:35: note: 'count: 3' is here"
    ),
    (
      "every: .seconds(1), counting: .slots",
      "35: error: 'counting:' says what 'count:' is of, and there is none; add 'count:', or remove 'counting:'"
    ),
    (
      "every: .seconds(1), count: nil, counting: .slots",
      "47: error: 'counting:' says what 'count:' is of, and there is none; add 'count:', or remove 'counting:'"
    ),
    (
      "every: nil, cron: \"* * * * *\"",
      "27: error: 'every' and 'cron' contradict each other; remove one of them\nApp.swift:1:15: note: 'every' is here"
    ),
    (
      "every: .seconds(1), pace: .fixedDelay, missed: .all(max: 3)",
      "35: error: 'missed: .all' and 'pace: .fixedDelay' contradict each other; remove one of them\n"
        + "App.swift:1:54: note: 'missed: .all' is here"
    ),
  ])
  func `options of a schedule that contradict each other, or count for nothing, are refused`(
    arguments: String, expected: String
  ) {
    #expect(
      generate(["App.swift": "@ScheduleTask(\(arguments)) enum A {}"]).diagnostics == ["App.swift:1:\(expected)"])
  }

  @Test(arguments: [
    "at: 0.0, counting: .slots", "every: .seconds(1), counting: .runs",
    "every: .seconds(1), count: 3, counting: .slots", "every: .seconds(1), count: nil, counting: .runs",
    "at: 0.0, every: nil, counting: .slots", "at: 0.0, every: nil, count: nil, counting: .slots",
    "every: .seconds(1), pace: .fixedDelay, missed: .skip", "every: .seconds(1), missed: .all(max: 3)",
  ])
  func `options of a schedule that belong together are let be`(arguments: String) {
    #expect(generate(["App.swift": "@ScheduleTask(\(arguments)) enum A {}"]).diagnostics == [])
  }

  @Test(arguments: [
    (
      "@ScheduleTask",
      "'@ScheduleTask' does not say when; add 'every:', 'at:', 'cron:' or 'daily:', as in 'every: .seconds(30)'"
    ),
    (
      "@ScheduleTask(every: nil)",
      "'@ScheduleTask' does not say when; add 'every:', 'at:', 'cron:' or 'daily:', as in 'every: .seconds(30)'"
    ),
    (
      "@ScheduleTask(count: 3)",
      "'@ScheduleTask' does not say when; add 'every:', 'at:', 'cron:' or 'daily:', as in 'every: .seconds(30)'"
    ),
    (
      "@NotificationTask",
      "'@NotificationTask' names no notification; write its name first, as in '@NotificationTask(\"PricesChanged\")'"
    ),
    (
      "@TaskKit.NotificationTask(name: \"a\", burst: .drop)",
      "'@NotificationTask' names no notification; write its name first, as in '@NotificationTask(\"PricesChanged\")'"
    ),
    (
      "@SequenceTask(lane: .disk)",
      "'@SequenceTask' names no sequence; write it first, as in '@SequenceTask(Prices.updates)'"
    ),
  ])
  func `an annotation that does not say when its task runs is refused in the words of its macro`(
    annotation: String, expected: String
  ) {
    #expect(generate(["App.swift": "\(annotation) enum A {}"]).diagnostics == ["App.swift:1:1: error: \(expected)"])
  }

  @Test func `what is wrong with an annotation that may be another library's names the way to say so`() {
    let text = "import Cron\n@ScheduleTask(\"0 3 * * *\") enum A {}"
    let error =
      "error: '@ScheduleTask' does not say when; add 'every:', 'at:', 'cron:' or 'daily:', as in 'every: .seconds(30)'"
    let note =
      "note: this file does not import TaskKit; if the annotation is another library's, write the module of that in front, "
      + "as in '@Cron.ScheduleTask'"
    #expect(generate(["App.swift": text]).diagnostics == ["App.swift:2:1: \(error)\nApp.swift:2:1: \(note)"])
    #expect(generate(["App.swift": text + "\nimport TaskKit"]).diagnostics == ["App.swift:2:1: \(error)"])
    let named = generate(["App.swift": text.replacing("@", with: "@Cron.")])
    #expect(named.diagnostics == [])
    #expect(named.text?.contains("registration") == false)
  }

  @Test(arguments: [
    "@ScheduleTask(at: 1)", "@ScheduleTask(daily: \"02:30\")", "@NotificationTask(.prices, burst: .drop)",
    "@SequenceTask(Prices.updates(of: 1), name: \"a\")",
  ])
  func `an annotation that says when its task runs is not`(annotation: String) {
    #expect(generate(["App.swift": "\(annotation) enum A {}"]).diagnostics == [])
  }

  @Test func `a dependency on something that is no task names the cure`() {
    let text = """
      enum Plain {}
      typealias Gone = Missing
      @EventTask(event: .idle) enum Load {}
      @EventTask(event: .idle, dependencies: [Plain.self, Laod.self, Gone.self]) enum A {}
      """
    #expect(
      generate(["App.swift": text]).diagnostics.map { $0.split(separator: "\n").first.map(String.init) } == [
        "App.swift:4:41: error: task 'App.A' needs 'Plain', which is a type but no task; annotate it with '@EventTask', "
          + "or remove it from 'dependencies:'",
        "App.swift:4:53: error: task 'App.A' needs 'Laod', which is not declared in module 'App' or in one that it "
          + "depends on; did you mean 'Load'?",
        "App.swift:4:64: error: task 'App.A' needs 'Gone', an alias of 'Missing', which is not found in module 'App' or "
          + "in one that it depends on; write the task's type itself",
      ])
  }

  @Test func `what is near, or meant by an alias, is shown at its own place`() {
    let text = """
      enum Plain {}
      typealias Gone = Missing
      @EventTask(event: .idle) enum Load {}
      @EventTask(event: .idle, dependencies: [Plain.self, Laod.self, Gone.self]) enum A {}
      """
    #expect(
      generate(["App.swift": text]).diagnostics.map { $0.split(separator: "\n").last.map(String.init) } == [
        "App.swift:1:6: note: 'Plain' is declared here", "App.swift:3:1: note: 'App.Load' is declared here",
        "App.swift:2:11: note: the alias is declared here",
      ])
  }

  @Test(arguments: [
    (
      "struct Box<T> {}", "Box",
      "'A' is declared in 'Box', which is generic, and a task is one type; move it out\n"
        + "Box.swift:1:8: note: 'Box' is declared here"
    ),
    (
      "struct Box<T> { struct Inner {} }", "Box.Inner",
      "'A' is declared in 'Box', which is generic, and a task is one type; move it out\n"
        + "Box.swift:1:8: note: 'Box' is declared here"
    ),
  ])
  func `what an extension does not show is looked up`(declaration: String, extended: String, expected: String) {
    let found = generate([
      "App.swift": "extension \(extended) {\n  @EventTask(event: .idle) enum A {}\n}", "Box.swift": declaration,
    ])
    #expect(found.diagnostics == ["App.swift:2:33: error: \(expected)"])
  }

  @Test func `a task in a constrained extension is refused once, whatever is known of the type`() {
    let found = generate([
      "App.swift": "extension Box where T == Int { enum In { @EventTask(event: .idle) enum A {} } }",
      "Box.swift": "struct Box<T> {}",
    ])
    #expect(
      found.diagnostics == [
        "App.swift:1:72: error: 'A' is declared in 'Box', which is generic, and a task is one type; move it out"
      ])
  }

  @Test(arguments: [
    ("private typealias F = Feed", "F", true), ("fileprivate typealias F = Feed", "F", true),
    ("enum Home { fileprivate typealias F = Feed }", "Home.F", true), ("private typealias F = Feed", "F.Inner", true),
    ("typealias F = Box", "F", false), ("typealias F = G\ntypealias G = Box", "F", false),
    ("typealias F = Box", "F.Inner", false), ("typealias F = Swift.Array", "F", false),
  ])
  func `a task in an extension of an alias that the registry cannot use is refused`(
    alias: String, extended: String, isPrivate: Bool
  ) {
    let text = "\(alias)\nextension \(extended) { @EventTask(event: .idle) enum A {} }"
    let types = "enum Feed { enum Inner {} }\nstruct Box<T> { struct Inner {} }"
    let found = generate(["App.swift": text, "Types.swift": types]).diagnostics
    #expect(found.count == 1)
    let reason = isPrivate ? "which is private" : "which is generic"
    #expect(found.first?.contains("error: 'A' is declared in '") == true, "\(found)")
    #expect(found.first?.contains(reason) == true, "\(found)")
    #expect(found.first?.contains("App.swift:1:") == true, "\(found)")
  }

  @Test(arguments: ["typealias F = Feed", "typealias F = G\ntypealias G = Feed", "typealias F = Pair"])
  func `a task in an extension of any other alias is collected`(alias: String) {
    let text = "\(alias)\nextension F { @EventTask(event: .idle) enum A {} }"
    #expect(generate(["App.swift": text, "Types.swift": "enum Feed {}\nstruct Pair {}"]).diagnostics == [])
  }

  @Test func `a task in an extension of a private type is refused, and of another type of that name it is not`() {
    let extended = "extension Box {\n  @EventTask(event: .idle) enum A {}\n}"
    let isPrivate = generate(["App.swift": "private enum Box {}\n\(extended)"])
    #expect(
      isPrivate.diagnostics == [
        "App.swift:3:33: error: 'A' is declared in 'Box', which is private, so the registry in another file cannot see "
          + "it; make 'Box' internal, or move the task out\nApp.swift:1:14: note: 'Box' is declared here"
      ])
    let isOther = generate(["App.swift": extended, "Box.swift": "enum Box {}", "Other.swift": "private enum Box {}"])
    #expect(isOther.diagnostics == [])
  }

  @Test func `a refused type causes no second error where it is needed`() {
    let text = "@EventTask(event: .idle) private enum A {}\n@EventTask(event: .idle, dependencies: [A.self]) enum B {}"
    // The macro refuses it.
    #expect(generate(["App.swift": text]).diagnostics == [])
  }

  @Test func `a task of a module that the file does not import is named with the import`() {
    let core = (name: "Core", files: ["Core.swift": "@EventTask(event: .idle) public enum Load {}"])
    let found = generate(
      ["App.swift": "@EventTask(event: .idle, dependencies: [Load.self]) enum A {}"], dependencies: [core])
    #expect(
      found.diagnostics == [
        "App.swift:1:41: error: task 'App.A' needs 'Load' of module 'Core', which this file does not import; "
          + "add 'import Core'\nCore.swift:1:1: note: 'Core.Load' is declared here"
      ])
  }

  @Test func `one event with two payloads is refused`() {
    let text = """
      extension LifecycleEvent<Int, Void> { nonisolated static var a: Self { .init("same") } }
      extension LifecycleEvent where Payload == String, Reply == Void { static var b: Self { .init("same") } }
      extension LifecycleEvent<Int, Void> { static var c: Self { .init("openURL") } }
      """
    #expect(
      generate(["App.swift": text]).diagnostics == [
        "App.swift:2:78: error: event 'same' carries 'String' here and 'Int' in module 'App'; give one of them another "
          + "name\nApp.swift:1:62: note: the other event 'same' is declared here",
        "App.swift:3:50: error: event 'openURL' carries 'Int' here and 'OpenURLRequest' in TaskKit; give one of them "
          + "another name",
      ])
  }

  @Test func `events that agree are no problem`() {
    let text = """
      extension LifecycleEvent<Shop.Order, Void> { static var a: Self { .init("same") } }
      extension LifecycleEvent<Order, ()> { static var b: Self { get { return .init("same", once: false) } } }
      #if A
      extension LifecycleEvent<Int, Void> { static var c: Self { .init("other") } }
      #else
      extension LifecycleEvent<String, Void> { static var d: Self { .init("other") } }
      #endif
      """
    #expect(generate(["App.swift": text]).diagnostics == [])
  }

  @Test func `all problems come at once, in the order of the places`() {
    let found = generate([
      "B.swift": "@EventTask(event: .idle, dependencies: [Nobody.self]) enum B {}",
      "A.swift": "@EventTask(event: .idle, dependencies: [C.self]) enum A {}\n"
        + "@EventTask(event: .idle, dependencies: [A.self]) enum C {}",
    ])
    #expect(found.diagnostics.count == 2)
    #expect(found.diagnostics[0].hasPrefix("A.swift:1:41: error: these tasks wait for each other"))
    #expect(found.diagnostics[1].hasPrefix("B.swift:1:41: error: task 'App.B' needs 'Nobody'"))
    #expect(found.text == nil)
  }

  @Test func `a name that begins with an accent is read like any other`() {
    let task = "@EventTask(name: \"\u{301}a\", event: .idle) enum"
    let found = generate(["App.swift": "\(task) A {}\n\(task) B {}"]).diagnostics
    #expect(found.count == 1)
    #expect(found.first?.contains("two tasks are named '\u{301}a'") == true, "\(found)")
  }

  @Test func `a warning does not keep the file from being written`() {
    let found = generate(["App.swift": "@EventTask(event: .idle, after: [\"Nobody\"]) enum A {}"])
    #expect(
      found.diagnostics == [
        "App.swift:1:34: warning: task 'App.A' runs after 'Nobody', which is not registered; if it may be absent, write "
          + "'.optional(\"Nobody\")'"
      ])
    #expect(found.text != nil)
  }

  @Test(arguments: [
    ("extension A { static var isEnabled: Bool { true } }", "26", "isEnabled"),
    ("extension A {\n  #if DEBUG\n  public static let isEnabled = false\n  #endif\n}", "21", "isEnabled"),
    ("extension App.A { @MainActor static func stop() async {} }", "42", "stop"),
    ("extension A { static func run() {}\nstatic func stop(_ output: Int) {} }", "13", "stop"),
    ("extension A { static var  isEnabled: Bool { true } }", "27", "isEnabled"),
    ("extension A { static func stop () {} }", "27", "stop"),
    ("extension A { class var isEnabled: Bool { false } }", "25", "isEnabled"),
    ("extension A { final class func stop() {} }", "32", "stop"),
    ("extension A { static var \u{60}isEnabled\u{60}: Bool { true } }", "26", "isEnabled"),
    ("extension A { static func \u{60}stop\u{60}() {} }", "27", "stop"),
    ("extension A { static private(set) var isEnabled = true }", "39", "isEnabled"),
    ("extension A { static nonisolated(unsafe) var isEnabled = true }", "46", "isEnabled"),
    ("extension A { nonisolated(unsafe) static var isEnabled = true }", "46", "isEnabled"),
    ("extension A { static let first = 1, isEnabled = false }", "37", "isEnabled"),
    ("extension A { static let first: Pair<Int, Int> = .init(1, 2), isEnabled: Bool = false }", "63", "isEnabled"),
    ("extension Short { static var isEnabled: Bool { true } }\ntypealias Short = App.A", "30", "isEnabled"),
    ("extension Home.Short { static func stop() {} }\nenum Home { typealias Short = A }", "36", "stop"),
  ])
  func `what the macro cannot see in an extension is refused there`(text: String, column: String, member: String) {
    let found = generate(["App.swift": "@EventTask(event: .idle) enum A {}", "More.swift": text]).diagnostics
    #expect(found.count == 1)
    let message = "error: '\(member)' is declared in an extension of task 'App.A', where '@EventTask' cannot see it, so"
    #expect(found.first?.hasPrefix("More.swift:") == true)
    #expect(found.first?.contains(":\(column): \(message)") == true, "\(found)")
    #expect(found.first?.contains("App.swift:1:1: note: the task is declared here") == true)
  }

  /// Which type an extension around a task extends, and which one another extension does, is said in several ways.
  @Test(
    arguments: ["Feed", "App.Feed", "App::Feed", "Short"], ["Feed.Load", "App.Feed.Load", "Short.Load", "Shortest"])
  func `it is refused however the two extensions write their types`(extended: String, other: String) {
    let found = generate([
      "App.swift": "extension \(extended) {\n  @EventTask(event: .idle) enum Load {}\n}",
      "Feed.swift": "enum Feed {}\ntypealias Short = Feed\ntypealias Shortest = Feed.Load",
      "More.swift": "extension \(other) { static func stop() {} }",
    ]).diagnostics
    #expect(found.count == 1)
    #expect(found.first?.contains("error: 'stop' is declared in an extension of task 'App.") == true, "\(found)")
  }

  @Test(arguments: [("Core.Feed", "Feed.Load"), ("Feed", "Core.Feed.Load"), ("Core.Feed", "Core.Feed.Load")])
  func `it is refused where both extend a type of another module`(extended: String, other: String) {
    let found = generate(
      [
        "App.swift": "import Core\nextension \(extended) { @EventTask(event: .idle) enum Load {} }",
        "More.swift": "import Core\nextension \(other) { static var isEnabled: Bool { false } }",
      ], dependencies: [(name: "Core", files: ["Core.swift": "public enum Feed {}"])]
    ).diagnostics
    #expect(found.count == 1)
    #expect(found.first?.contains("error: 'isEnabled' is declared in an extension of task 'App.") == true, "\(found)")
  }

  @Test(arguments: [
    ("protocol Base {}\nextension Base { static var isEnabled: Bool { false } }", "isEnabled", "Base"),
    ("class Base { class var isEnabled: Bool { false } }", "isEnabled", "Base"),
    ("protocol Root {}\nprotocol Base: Root {}\nextension Root { static func stop() {} }", "stop", "Root"),
    ("typealias Base = Root\nclass Root { static func stop(_ output: Int) {} }", "stop", "Root"),
    ("class Base { class func stop(_ output: Pair<Int, [String: (Int, Int)]>,) {} }", "stop", "Base"),
  ])
  func `what a task inherits, where the macro cannot see it, is a warning at the annotation`(
    text: String, member: String, type: String
  ) {
    let found = generate(["App.swift": "@EventTask(event: .idle) final class A: Base {}", "More.swift": text])
    #expect(found.diagnostics.count == 1)
    let message = "'\(member)' of task 'App.A' comes from '\(type)', where '@EventTask' cannot see it, so nothing would"
    #expect(found.diagnostics.first?.hasPrefix("App.swift:1:1: warning: \(message)") == true, "\(found.diagnostics)")
    #expect(found.diagnostics.first?.hasSuffix(": note: '\(member)' is declared here") == true)
    #expect(found.text != nil)
  }

  @Test(arguments: ["private(set)", "internal(set)", "nonisolated(unsafe)"])
  func `what another module's type gives is inherited whoever may set it`(detail: String) {
    let core = "open class Base { public \(detail) static var isEnabled = true }"
    let found = generate(
      ["App.swift": "import Core\n@EventTask(event: .idle) final class A: Base {}"],
      dependencies: [(name: "Core", files: ["Core.swift": core])]
    ).diagnostics
    #expect(found.count == 1)
    #expect(found.first?.contains("warning: 'isEnabled' of task 'App.A' comes from 'Base'") == true)
  }

  @Test(arguments: [
    "@MainActor Base", "nonisolated Base", "@preconcurrency Base", "@Other.Actor Base", "Base & Named", "Named & Base",
    "Named, @MainActor Base & Sendable", "Both", "@unchecked Sendable, Both",
  ])
  func `what a task inherits is found however its declaration writes that`(supertypes: String) {
    let text = """
      protocol Named {}
      protocol Base {}
      extension Base { static var isEnabled: Bool { false } }
      typealias Both = Named
        & Base
      """
    let found = generate(["App.swift": "@EventTask(event: .idle) final class A: \(supertypes) {}", "More.swift": text])
    #expect(found.diagnostics.count == 1)
    #expect(found.diagnostics.first?.contains("warning: 'isEnabled' of task 'App.A' comes from 'Base'") == true)
  }

  @Test(arguments: [
    ("protocol Base { static var isEnabled: Bool { get }\nstatic func stop() }", ""),
    ("protocol Base {}\nextension Base where Self: Other { static func stop() {} }", ""),
    ("class Base { private static func stop() {}\nfileprivate static let isEnabled = true }", ""),
    ("class Base { static func stop(server: Int) {}\nvar isEnabled: Bool { true }\nenum stop {} }", ""),
    ("class Base { class func stop(_ server: Server, gracefully: Bool) {} }", ""),
    ("protocol Base {}\n#if false\nextension Base { static func stop() {} }\n#endif", ""),
    ("protocol Base {}\nextension Base { static func stop() {} }", "static func stop() {}"),
    ("class Base { class var isEnabled: Bool { true } }", "override static var isEnabled: Bool { true }"),
  ])
  func `what is not inherited, or declared again, is left alone`(text: String, body: String) {
    let task = "@EventTask(event: .idle) final class A: Base { \(body) }"
    #expect(generate(["App.swift": task, "More.swift": text]).diagnostics == [])
  }

  @Test(arguments: [
    "extension B { static var isEnabled: Bool { true } }\nenum B {}",
    "extension A { var isEnabled: Bool { true }\nfunc stop() {} }",
    "extension A { static func stop(server: Int) {}\nstatic func stop<T>(_ output: T) {} }",
    "extension A { static func stop(_ server: Int, gracefully: Bool) {} }",
    "extension A { static func other() { var isEnabled = true }\nstatic subscript(a: Int) -> Int { 1 }\nvar isEnabled: Bool { false } }",
    "extension A { enum Inner { static let isEnabled = true; static func stop() {} } }",
    "extension A { static let first = 1, other = pick(isEnabled: true)\nlet second = 2, isEnabled = false }",
    "extension A { static let first: Pair<Int, isEnabled> = .init() }",
  ])
  func `what is something else by the same name is left alone`(text: String) {
    #expect(generate(["App.swift": "@EventTask(event: .idle) enum A {}", "More.swift": text]).diagnostics == [])
  }
}
