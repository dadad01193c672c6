import TaskScanner
import Testing

/// A `run` that takes something else than one of TaskKit's own events carries.
@Suite struct PayloadTests {
  private func diagnostics(
    _ event: String, _ parameter: String, beside more: String = "",
    dependencies: [(name: String, files: [String: String])] = []
  ) -> [String] {
    let text = """
      import TaskKit
      @EventTask(\(event))
      enum A {
        static func run(_ value: \(parameter)) {}
      }
      """
    return generate(["App.swift": text, "More.swift": more], dependencies: dependencies).diagnostics
  }

  @Test(arguments: [
    (
      "event: .openURL", "String", 28,
      "'run' takes 'String', and event 'openURL' carries 'OpenURLRequest'; write 'OpenURLRequest', or remove the parameter"
    ),
    (
      "event: .openURL", "LaunchOptions", 28,
      "'run' takes 'LaunchOptions', and event 'openURL' carries 'OpenURLRequest'; write 'OpenURLRequest', or remove the "
        + "parameter"
    ),
    (
      "event: .openURL", "TaskKit.LaunchOptions", 28,
      "'run' takes 'TaskKit.LaunchOptions', and event 'openURL' carries 'OpenURLRequest'; write 'OpenURLRequest', or "
        + "remove the parameter"
    ),
    (
      "event: .openURL", "Order", 28,
      "'run' takes 'Order', and event 'openURL' carries 'OpenURLRequest'; write 'OpenURLRequest', or remove the parameter"
    ),
    (
      "event: .openURL", "TaskContext< String>", 41,
      "'run' takes a context of 'String', and event 'openURL' carries 'OpenURLRequest'; write "
        + "'TaskContext<OpenURLRequest>'"
    ),
    (
      "event: .idle", "Int", 28, "'run' takes 'Int', and event 'idle' carries nothing; remove the parameter"
    ),
    (
      "event: .idle", "TaskContext<Int>", 40,
      "'run' takes a context of 'Int', and event 'idle' carries nothing; write 'TaskContext<Void>'"
    ),
    (
      "events: .didFinishLaunching, .idle", "LaunchOptions", 28,
      "'run' takes 'LaunchOptions', and event 'idle' carries nothing; remove the parameter"
    ),
    (
      "events: .openURL, .didFinishLaunching", "String", 28,
      "'run' takes 'String', and event 'openURL' carries 'OpenURLRequest'; its events carry different payloads, so remove "
        + "the parameter"
    ),
    (
      "events: .openURL, .idle", "TaskContext<OpenURLRequest>", 40,
      "'run' takes a context of 'OpenURLRequest', and event 'idle' carries nothing; its events carry different payloads, so "
        + "remove the parameter"
    ),
    (
      "events: .willContinueUserActivity, .shouldAllowExtensionPoint, .orderPlaced", "Data", 28,
      "'run' takes 'Data', and event 'willContinueUserActivity' carries 'String'; write 'String', or remove the parameter"
    ),
    (
      "event: .didReceiveRemoteNotification", "Data", 28,
      "'run' takes 'Data', and event 'didReceiveRemoteNotification' carries '[String: PropertyValue]'; write "
        + "'[String: PropertyValue]', or remove the parameter"
    ),
    (
      "event: .openNotificationSettings", "SystemNotification", 28,
      "'run' takes 'SystemNotification', and event 'openNotificationSettings' carries 'SystemNotification?'; write "
        + "'SystemNotification?', or remove the parameter"
    ),
  ])
  func `a run that takes another type than a known event carries is an error at the type`(
    event: String, parameter: String, column: Int, message: String
  ) {
    #expect(diagnostics(event, parameter, beside: "struct Order {}") == ["App.swift:4:\(column): error: \(message)"])
  }

  @Test(arguments: [
    "let idleTime = 1\nfunc idler() {}\nenum Machine { case idle, busy }\nfunc wait(idle: Int) {}",
    "struct Machine {}\nextension Machine { static let idle = Machine() }",
    "extension LifecycleEvent<Int, Void> { nonisolated static var idleTime: Self { .init(\"a\") } }",
    "extension LifecycleEvent<Void, Void> { nonisolated static var quiet: Self { .idle } }",
    "extension Order { static func run(_ a: Order) {} }\nstruct Order {}",
  ])
  func `what only looks like an event of that name, or like another run, changes nothing`(more: String) {
    #expect(
      diagnostics("event: .idle", "Int", beside: more) == [
        "App.swift:4:28: error: 'run' takes 'Int', and event 'idle' carries nothing; remove the parameter"
      ])
  }

  @Test func `what TaskKit's own modules declare changes nothing`() {
    let jobs = """
      extension Jobs { public func idle() {} }
      extension Sendable { func idle() {} }
      typealias Jobs = Center
      """
    let found = diagnostics(
      "event: .idle", "Int", dependencies: [(name: "TaskKitDurable", files: ["Jobs.swift": jobs])])
    #expect(found.count == 1)
  }

  @Test(arguments: [
    ("event: .openURL", "OpenURLRequest", ""), ("event: .openURL", "TaskKit.OpenURLRequest", ""),
    ("event: .openURL", "TaskKit::OpenURLRequest", ""), ("event: .openURL", "TaskContext<OpenURLRequest>", ""),
    ("event: .openURL", "TaskContext<TaskKit.OpenURLRequest>", ""), ("event: .idle", "Void", ""),
    ("event: .idle", "()", ""),
    ("event: .idle", "TaskContext<()>", ""), ("event: .occlusionStateDidChange", "Bool", ""),
    // What a value of the payload may be passed as.
    ("event: .openURL", "OpenURLRequest?", ""), ("event: .openURL", "any Sendable", ""), ("event: .openURL", "Any", ""),
    ("event: .openURL", "Openable", "protocol Openable {}"),
    // Somebody's own type of that name, and a name for something else.
    ("event: .openURL", "OpenURLRequest", "struct OpenURLRequest {}"),
    ("event: .openURL", "Model.OpenURLRequest", "enum Model { struct OpenURLRequest {} }"),
    ("event: .openURL", "Request", "typealias Request = OpenURLRequest"),
    ("event: .openURL", "String", "typealias String = OpenURLRequest"),
    ("event: .openURL", "LaunchOptions", "protocol LaunchOptions {}"),
    ("event: .openURL", "TaskKit.LaunchOptions", "enum TaskKit { protocol LaunchOptions {} }"),
    ("event: .openURL", "TaskContext<String>", "struct TaskContext<Value> {}"),
    ("event: .openURL", "Order", "#if DEBUG\nstruct Order {}\n#endif"),
    ("event: .openURL", "TaskContext<String>", "typealias TaskContext<Value> = TaskKit.TaskContext<OpenURLRequest>"),
    // Another `run`.
    ("event: .openURL", "String", "extension A { static func run(_ request: OpenURLRequest) {} }"),
    ("event: .openURL", "String", "extension LifecycleTask { static func run(_ request: OpenURLRequest) {} }"),
    ("event: .openURL", "Order", "extension Hashable { static func run(_ a: OpenURLRequest) {} }\nstruct Order {}"),
    // A type that no source shows.
    ("event: .openURL", "Unseen", ""), ("event: .openURL", "Other.Unseen", ""), ("event: .openURL", "Other.String", ""),
    // Somebody's own event of that name.
    (
      "event: .openURL", "String",
      "extension LifecycleEvent<String, Void> { nonisolated static var openURL: Self { .init(\"open\") } }"
    ),
    (
      "event: .openURL", "String",
      "typealias Event = LifecycleEvent\nextension Event<String, Void> { static let openURL = Self(\"open\") }"
    ),
    (
      "event: .openURL", "String",
      "extension LifecycleEvent<String, Void> { nonisolated static var  openURL: Self { .init(\"open\") } }"
    ),
    (
      "event: .openURL", "String",
      "extension LifecycleEvent<String, Void> { static let a = Self(\"a\"), `openURL` = Self(\"b\") }"
    ),
    (
      "event: .openURL", "String",
      "extension Named where Self == LifecycleEvent<String, Void> {\n#if DEBUG\nstatic var openURL: Self { .init(\"a\") }\n"
        + "#endif\n}"
    ),
    ("event: .openURL", "String", "extension LifecycleEvent<String, Void> { #event(\"openURL\") }"),
    (
      "event: .openURL", "String", "extension LifecycleEvent<String, Void> { @Renamed(\"openURL\") static var a: Self }"
    ),
    ("event: .openURL", "String", "@Events(\"openURL\") extension LifecycleEvent<String, Void> {}"),
    ("event: .orderPlaced", "String", ""), ("event: LifecycleEvent<String, Bool>(\"openURL\")", "String", ""),
    // Not what a task's run is like, which the macro says.
    ("event: .openURL", "inout String", ""), ("event: .openURL", "String, _ other: Int", ""),
    ("event: .openURL", "String...", ""), ("event: .openURL", "String = \"\"", ""),
  ])
  func `what fits, or is not certain, is left to the compiler`(event: String, parameter: String, more: String) {
    let found = diagnostics(event, parameter, beside: more)
    #expect(!found.contains { $0.contains("'run' takes") }, "\(found)")
  }

  @Test(arguments: [
    "enum A { static func run(_ a: String) {}\n static func run(_ a: OpenURLRequest) {} }",
    "enum A {\n#if DEBUG\nstatic func run(_ a: String) {}\n#endif\n}",
    "enum A { static func run<String>(_ a: String) {} }", "enum A { static func run(a: String) {} }",
    "enum A { static func run() { func run(_ a: String) {} } }",
    "enum A: P { static func run(_ a: Order) {} }\nprotocol P { associatedtype Order }\nstruct Order {}",
    "enum A { static func run(_ a: Order) {} }\nprotocol P { associatedtype Order }\nstruct Order {}\nextension A: P {}",
    "enum A { static func run(_ a: Order) {}\n typealias Order = OpenURLRequest }\nstruct Order {}",
    "enum A { static func run(_ a: Order) {}\n protocol Order {} }\nstruct Order {}",
    "final class A: B { static func run(_ a: String) {} }\nclass B { class func run(_ a: OpenURLRequest) {} }",
    "enum A: P { static func run(_ a: Data) {} }\nprotocol P { associatedtype Data\n static func take(_ a: Data) }",
    "enum A { static func run(_ a: Data) {} }\nprotocol P { associatedtype Data\n static func take(_ a: Data) }\n"
      + "extension A: P {}",
    "enum A { static func run(_ a: String) {}\n static let run: @Sendable (OpenURLRequest) -> Bool = { _ in true } }",
    // Somebody's macro may add another one, or an alias.
    "@Routed enum A { static func run(_ a: String) {} }", "enum A { @Overloaded static func run(_ a: String) {} }",
    "enum A { static func run(_ a: String) {}\n @Also.Running static let b = 1 }",
    "enum A { #runs\n static func run(_ a: String) {} }",
  ])
  func `where the name may mean another type, or the run is another one, it is left to the compiler`(type: String) {
    #expect(generate(["App.swift": "import TaskKit\n@EventTask(event: .openURL) \(type)"]).diagnostics == [])
  }

  @Test(arguments: [
    "#if false\nTASK\n#endif", "#if compiler(>=7)\n#else\nTASK\n#endif", "#if A\nenum B {\nTASK\n}\n#endif",
    "#if A\n@EventTask(event: .openURL)\n#endif\nenum A { static func run(_ a: String) {} }",
    // And in what a macro may add to.
    "@Routed enum B {\nTASK\n}", "extension B {\nTASK\n}\nenum B {}", "enum B: P {\nTASK\n}\nprotocol P {}",
  ])
  func `in a branch of '#if', and inside of what may have other names, it is left to the compiler`(text: String) {
    let task = "@EventTask(event: .openURL) enum A { static func run(_ a: String) {} }"
    #expect(generate(["App.swift": text.replacing("TASK", with: task)]).diagnostics == [])
    #expect(generate(["App.swift": "enum B {\n\(task)\n}"]).diagnostics.count == 1)
  }

  @Test func `the language's attributes and TaskKit's own add nothing`() {
    let text = """
      @TaskKit.EventTask(event: .openURL) @MainActor @available(macOS 15, *) public enum A {
        @available(*, deprecated) @discardableResult @MainActor static func run(_ a: String) -> Bool { true }
        @EventTask(event: .idle) enum B { static func run() {} }
        @TaskKit::EventTask(event: .idle) enum C { static func run() {} }
      }
      """
    #expect(generate(["App.swift": text]).diagnostics.count == 1)
  }

  @Test func `an event of a module that is not scanned may have the name`() {
    let text = "@EventTask(event: .openURL) enum A { static func run(_ a: String) {} }"
    #expect(generate(["App.swift": text], isComplete: false).diagnostics == [])
    #expect(generate(["App.swift": text]).diagnostics.count == 1)
    let core = "extension LifecycleEvent<String, Void> { public static var openURL: Self { .init(\"open\") } }"
    #expect(
      generate(["App.swift": text], dependencies: [(name: "Core", files: ["Core.swift": core])]).diagnostics == [])
  }

  @Test func `a type of an imported module is known as well`() {
    let core = "public struct Order {}"
    let text = "import Core\n@EventTask(event: .openURL) struct A { func run(_: Order) async {} }"
    let found = generate(["App.swift": text], dependencies: [(name: "Core", files: ["Core.swift": core])])
    #expect(found.diagnostics.count == 1)
    #expect(found.diagnostics.first?.hasPrefix("App.swift:2:52: error: 'run' takes 'Order'") == true)
  }
}
