import TaskScanner
import Testing

/// Classes and actors with several marked methods.
@Suite struct TaskModuleTests {
  @Test func `a module is added as a whole, its methods in slots of their own, behind those of modules it depends on`()
  {
    let core = """
      import TaskKit
      @TaskModule(creation: .atLaunch) public actor Settings {
        @ModuleTask(event: .idle) func load() {}
      }
      @TaskModule public actor Bare {}
      """
    let app = """
      import TaskKit
      import Core
      @EventTask(event: .idle) enum First {}
      @TaskModule(dependencies: [Settings.self, Bare.self])
      @MainActor final class Ads {
        @ModuleTask(event: .didBecomeActive) func pause() {}
        func unmarked() {}
        @TaskKit.ModuleTask(name: "show", event: .idle, dependencies: [First.self], needs: ["pause"], after: ["First"])
        @discardableResult public nonisolated func `default`() -> Int { func inner() {}; return 1 }
        enum Nested { @EventTask(event: .idle) enum Last {} }
      }
      #if os(Linux)
      @TaskModule actor Extra { @ModuleTask(event: .idle) func run() {} }
      #endif
      """
    let found = generate(["App.swift": app], dependencies: [(name: "Core", files: ["Core.swift": core])])
    // 'pause' is of another event, and counts by its latest occurrence.
    #expect(found.diagnostics.filter { $0.contains("error") } == [])
    let text = found.text ?? ""
    #expect(
      text.contains(
        """
        public nonisolated func _taskKit_App() -> TaskKit::ModuleTasks {
          var _tasks = TaskKit::ModuleTasks(module: "App", imports: ["Core"], count: 5)
          _taskKit_App_0(&_tasks)
          _taskKit_App_Modules(&_tasks)
          return _tasks
        }

        private nonisolated func _taskKit_App_0(_ _tasks: inout TaskKit::ModuleTasks) {
          _tasks.add(First.registration, at: 0)
          _tasks.add(Ads.Nested.Last.registration, at: 3)
        }

        private nonisolated func _taskKit_App_Modules(_ _tasks: inout TaskKit::ModuleTasks) {
          _tasks.add(Ads.registration, at: 1, [.init(), .init(dependencies: [0, 1], after: [0, .init(1, module: 0)])])
        #if os(Linux)
          _tasks.add(Extra.registration, at: 4, [.init()])
        #endif
        }

        extension First { nonisolated static var _isCollected: () { () } }
        extension Ads.Nested.Last { nonisolated static var _isCollected: () { () } }
        extension Ads { nonisolated static var _isCollected: () { () } }
        #if os(Linux)
        extension Extra { nonisolated static var _isCollected: () { () } }
        #endif
        """))
  }

  @Test func `a module whose only declarations are modules without methods is collected too`() {
    let text = generate(["App.swift": "import TaskKit\n@TaskModule actor Bare {}"]).text
    #expect(text?.contains("_tasks.add(Bare.registration)") == true)
    #expect(text?.contains("_taskKit_App(),") == true)
  }

  @Test(arguments: [
    (
      "@TaskModule enum A {}",
      "App.swift:1:1: error: 'A' is an enum, and a module has one instance that its methods share; make it a class or an actor"
    ),
    (
      "@TaskModule(creation: later()) actor A {}",
      "App.swift:1:23: error: 'later()' does not tell the build when the module is created; write '.whenNeeded', "
        + "'.atLaunch' or '.byRegistering'"
    ),
    (
      "@TaskModule(dependencies: [B.self]) actor A {}",
      "App.swift:1:28: error: module 'App.A' needs 'B', which is not declared in module 'App' or in one that it depends on"
    ),
    (
      "@EventTask(event: .idle) enum B {}\n@TaskModule(dependencies: [B.self]) actor A {}",
      "App.swift:2:28: error: module 'App.A' needs 'B', which is a type but no module; annotate it with '@TaskModule', or "
        + "remove it from 'dependencies:'\nApp.swift:1:31: note: 'B' is declared here"
    ),
    (
      "@TaskModule actor A {}\n@EventTask(event: .idle, dependencies: [A.self]) enum B {}",
      "App.swift:2:41: error: task 'App.B' needs 'A', which is a type but no task; annotate it with '@EventTask', or "
        + "remove it from 'dependencies:'\nApp.swift:1:19: note: 'A' is declared here"
    ),
    (
      "@TaskModule class A {}\nclass B: A {}\n@TaskModule final class C: B {}",
      "App.swift:3:1: error: module 'App.C' inherits from module 'App.A', whose registration a subclass cannot declare "
        + "again; remove '@TaskModule' from one of them, or let one depend on the other instead\n"
        + "App.swift:1:1: note: 'App.A' is declared here"
    ),
    (
      "@TaskModule class A {}\ntypealias B = A & Sendable\n@TaskModule final class C: @unchecked B {}",
      "App.swift:3:1: error: module 'App.C' inherits from module 'App.A', whose registration a subclass cannot declare "
        + "again; remove '@TaskModule' from one of them, or let one depend on the other instead\n"
        + "App.swift:1:1: note: 'App.A' is declared here"
    ),
    (
      "@TaskModule(dependencies: [A.self]) actor A {}",
      "App.swift:1:28: error: module 'App.A' needs itself; remove this dependency"
    ),
    (
      """
      @TaskModule(dependencies: [B.self]) actor A {
        @ModuleTask(event: .idle) func a() {}
      }
      @TaskModule actor B {
        @ModuleTask(event: .idle, dependencies: [C.self]) func b() {}
      }
      @EventTask(event: .idle, after: ["A.a"]) enum C {}
      """,
      """
      App.swift:1:28: error: these tasks wait for each other: 'App.A.a' runs after 'App.B.b', 'App.B.b' needs 'App.C', \
      'App.C' runs after 'App.A.a'; remove one of these dependencies
      App.swift:5:44: note: 'App.B.b' needs 'App.C' here
      App.swift:7:34: note: 'App.C' runs after 'App.A.a' here
      """
    ),
    (
      "@TaskModule actor A {\n  @ModuleTask(event: wrong) func a() {}\n}",
      "App.swift:2:22: error: 'wrong' does not tell the build which event it is; write a static member such as "
        + "'.didFinishLaunching', or 'LifecycleEvent<Payload, Void>(\"name\")'"
    ),
  ])
  func `what is wrong with a module is said at its place`(text: String, expected: String) {
    #expect(generate(["App.swift": text]).diagnostics == [expected])
  }

  @Test func `a module that inherits from one of another target is refused as well`() {
    let core = (name: "Core", files: ["Core.swift": "@TaskModule open class Ads {}"])
    let text = "import Core\n@TaskModule final class PaidAds: Ads {}"
    let found = generate(["App.swift": text], dependencies: [core]).diagnostics
    let message =
      "App.swift:2:1: error: module 'App.PaidAds' inherits from module 'Core.Ads', whose registration a subclass cannot "
      + "declare again; remove '@TaskModule' from one of them, or let one depend on the other instead"
    #expect(found == ["\(message)\nCore.swift:1:1: note: 'Core.Ads' is declared here"])
  }

  @Test(arguments: [
    "@TaskModule class A {}\nfinal class B: A {}", "class A {}\n@TaskModule final class B: A {}",
    "#if DEBUG\n@TaskModule class A {}\n#else\nclass A {}\n#endif\n@TaskModule final class B: A {}",
    """
    @TaskModule class A {}
    #if DEBUG
    final class B: A {}
    #else
    class Other {}
    @TaskModule final class B: Other {}
    #endif
    """,
  ])
  func `of a module and a class one may inherit from the other`(text: String) {
    #expect(generate(["App.swift": text]).diagnostics == [])
  }

  @Test func `a module may inherit from a class that has the name of a module which its file does not see`() {
    let core = (name: "Core", files: ["Core.swift": "@TaskModule class Ads {}"])
    let text = "import Core\nimport Library\n@TaskModule final class PaidAds: Ads {}"
    #expect(generate(["App.swift": text], dependencies: [core]).diagnostics == [])
  }

  @Test(arguments: ["private actor A {}", "actor A<T> {}"])
  func `a refused module causes no second error where another one needs it`(module: String) {
    let text = "@TaskModule \(module)\n@TaskModule(dependencies: [A.self]) actor B {}"
    // The macro refuses it.
    #expect(generate(["App.swift": text]).diagnostics == [])
    let found = generate(["App.swift": text, "More.swift": "@EventTask(event: make()) enum C {}"]).diagnostics
    #expect(found.count == 2)
    #expect(found.first?.hasPrefix("App.swift:1:") == true, "\(found)")
  }

  @Test func `modules of one name in exclusive branches are no duplicates`() {
    let text = """
      #if os(Linux)
      @TaskModule actor A { @ModuleTask(event: .idle) func a() {} }
      #else
      @TaskModule final class A { @ModuleTask(event: .idle) func a() {} }
      #endif
      """
    let found = generate(["App.swift": text])
    #expect(found.diagnostics == [])
    #expect(found.text?.contains("_tasks.add(A.registration, at: 0, [.init()])") == true)
    #expect(found.text?.contains("_tasks.add(A.registration, at: 1, [.init()])") == true)
  }
}
