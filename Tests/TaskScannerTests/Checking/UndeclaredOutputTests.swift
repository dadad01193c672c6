import TaskScanner
import Testing

/// Bodies that read the output of a task which their annotation does not list.
@Suite struct UndeclaredOutputTests {
  private static func diagnostics(_ type: String, dependencies: String = "") -> [String] {
    let text = """
      @EventTask(event: .idle) enum Load { static func run() -> Int { 1 } }
      @EventTask(event: .idle\(dependencies)) \(type)
      """
    return generate(["App.swift": text]).diagnostics
  }

  @Test func `an output that is read without its type in the dependencies is a warning where the type stands`() {
    let text = """
      @EventTask(event: .idle) enum Load { static func run() -> Int { 1 } }
      enum Feed {
        @EventTask(event: .idle) enum Fetch { static func run() -> Int { 1 } }
        @EventTask(event: .idle, dependencies: [Load.self], after: ["Feed.Fetch"])
        struct Show {
          func run(_ context: TaskContext<Void>) async throws {
            print(try context.output(of: Load.self), try context.output(of: Fetch.self))
          }
        }
      }
      """
    let found = generate(["App.swift": text])
    #expect(
      found.diagnostics == [
        "App.swift:7:71: warning: 'App.Feed.Show' reads the output of 'App.Feed.Fetch' without depending on it, which "
          + "throws; add 'Fetch.self' to its 'dependencies:'\nApp.swift:3:3: note: 'App.Feed.Fetch' is declared here"
      ])
    #expect(found.text != nil)
  }

  @Test(arguments: [
    "enum A { static func run(_ context: TaskContext<Void>) throws { _ = try context.output(of: Load.self) } }",
    "enum A { static func run(_ c: TaskKit.TaskContext<[String: Int]>) throws -> Int { try c.output(of: Load.self) } }",
    "enum A { static func run(_ c: TaskKit::TaskContext<Void>) throws(TaskError) -> (Int) { try c.output(of: Load.self) } }",
    "final class A { func run(_ `in`: TaskContext<Void>) { print((try? `in`.output(of: App.Load.self)) ?? 0) } }",
    "enum A { static let run = 1; static func other() { run }\n"
      + "  static func run(_ c: TaskContext<Void>) throws { if let a = c[Key.self] { f(c, a: c, c: c) { try c.output(of: Load.self) } } } }",
    "enum A { static func run(_ c: TaskContext<Void>) {\n#if DEBUG\nprint(\"\\(try! c.output(of: Load.self))\")\n#endif\n} }",
    "enum A { static func run(_ c: TaskContext<Void>) { let a = c\n  .output(of: Load.self); for b in c.output(of: B.self) {} } }",
    "enum A { static func run(_ c: TaskContext<Void>) { guard case let .a(b) = c.name else { c.output(of: Load.self) } } }",
  ])
  func `it is found however the body is written`(type: String) {
    let found = Self.diagnostics(type)
    #expect(found.count == 1)
    #expect(found.first?.contains("'App.A' reads the output of 'App.Load' without depending on it") == true)
    #expect(Self.diagnostics(type, dependencies: ", dependencies: [Load.self]") == [])
  }

  /// What may be something else.
  @Test(arguments: [
    // Another receiver, another method, or no type that the source names.
    "enum A { static func run(_ c: TaskContext<Void>) async throws { try await c.center.output(of: Load.self) } }",
    "enum A { static func run(_ c: TaskContext<Void>) { center.output(of: Load.self); self.c.output(of: Load.self) } }",
    "enum A { static func run(_ c: TaskContext<Void>) { c.outputs(of: Load.self); c.output(Load.self); d.output(of: Load.self) } }",
    "enum A { static func run(_ c: TaskContext<Void>) { c.output(of: type); c.output(of: Load.self, Load.self) } }",
    "enum A { static func run(_ c: TaskContext<Void>) {}; static func other(_ c: TaskContext<Void>) { c.output(of: Load.self) } }",
    "enum A { static func run(_ c: Reader) { c.output(of: Load.self) } }",
    "enum A { static func run(_ c: Other.TaskContext<Void>) { c.output(of: Load.self) } }",
    "enum A { static func run() {}; static func run(_ c: TaskContext<Void>, _ b: Int) { c.output(of: Load.self) } }",
    "enum A { static func run(with c: TaskContext<Void>) { c.output(of: Load.self) } }",
    "enum A { struct B { func run(_ c: TaskContext<Void>) { c.output(of: Load.self) } } }",
    // The name is declared a second time.
    "enum A { static func run(_ c: TaskContext<Void>) { let c = Other(); c.output(of: Load.self) } }",
    "enum A { static func run(_ c: TaskContext<Void>) { let (b, c) = f(); c.output(of: Load.self) } }",
    "enum A { static func run(_ c: TaskContext<Void>) { if case let .a(b: c) = f { c.output(of: Load.self) } } }",
    "enum A { static func run(_ c: TaskContext<Void>) { for (b, c) in f { c.output(of: Load.self) } } }",
    "enum A { static func run(_ c: TaskContext<Void>) { f { c in c.output(of: Load.self) } } }",
    "enum A { static func run(_ c: TaskContext<Void>) { f { b, c in c.output(of: Load.self) } } }",
    "enum A { static func run(_ c: TaskContext<Void>) { f { (c, b) in c.output(of: Load.self) } } }",
    "enum A { static func run(_ c: TaskContext<Void>) { f { (c: Other) in c.output(of: Load.self) } } }",
    "enum A { static func run(_ c: TaskContext<Void>) { func f(_ c: Other) { c.output(of: Load.self) } } }",
    // The type is another one here, or may be.
    "enum A { static func run(_ c: TaskContext<Void>) { enum Load {}; c.output(of: Load.self) } }",
    "enum A { static func run(_ c: TaskContext<Void>) { typealias Load = B; c.output(of: Load.self) } }",
    "enum A { @EventTask(event: .idle) enum Load {}\n static func run(_ c: TaskContext<Void>) { c.output(of: Load.self) } }",
    "enum A { static func run(_ c: TaskContext<Void>) { c.output(of: A.self); c.output(of: Self.self) } }",
    "enum A { static func run(_ c: TaskContext<Void>) { c.output(of: Elsewhere.self) } }",
  ])
  func `what may be another output is let be`(type: String) {
    #expect(Self.diagnostics(type) == [])
  }

  /// The tool runs before the compiler, which refuses it.
  @Test(arguments: [
    "enum A { func run(_ c: TaskContext<Void>) {", "enum A { func run(_ c: TaskContext<Void>", "enum A { func run(_ c:",
    "enum A { func run(_ c: TaskContext<Void>) { c.output(of:", "enum A { func run(_ c: TaskContext<Void>) { let (c",
  ])
  func `a body that does not end is read as far as it goes`(type: String) {
    #expect(Self.diagnostics("\(type) // output(of") == [])
  }

  @Test(arguments: ["Other.self", "Loads.Load.self"])
  func `a dependency by another name is one`(dependency: String) {
    let text = """
      typealias Other = Load
      enum Loads { typealias Load = Other }
      @EventTask(event: .idle) enum Load {}
      @EventTask(event: .idle, dependencies: [\(dependency)])
      enum A { static func run(_ c: TaskContext<Void>) throws { try c.output(of: Load.self) } }
      """
    #expect(generate(["App.swift": text]).diagnostics == [])
  }

  @Test func `where a dependency is in a module that is not scanned, it may be the one`() {
    let text = """
      import Core
      import More
      @EventTask(event: .idle, dependencies: [Aliased.self])
      enum A { static func run(_ c: TaskContext<Void>) throws { try c.output(of: Load.self) } }
      """
    let core = (name: "Core", files: ["Core.swift": "@EventTask(event: .idle) public enum Load {}"])
    #expect(generate(["App.swift": text], dependencies: [core], isComplete: false).diagnostics == [])
  }

  @Test func `a body of another module was looked at when that was built`() {
    let core = """
      @EventTask(event: .idle) public enum Load {}
      @EventTask(event: .idle) public enum A { static func run(_ c: TaskContext<Void>) { c.output(of: Load.self) } }
      """
    #expect(generate(["Core.swift": core]).diagnostics.count == 1)
    #expect(generate([:], dependencies: [(name: "Core", files: ["Core.swift": core])]).diagnostics == [])
  }

  private static let real = "@EventTask(event: .idle) enum Real {}"
  private static let fake = "@EventTask(event: .idle) enum Fake {}"

  @Test(arguments: [
    "\(real)\n\(fake)", "\(real)\n#if DEBUG\n\(fake)\n#endif", "#if DEBUG\n\(fake)\n#else\n\(real)\n#endif",
  ])
  func `what is read in the branch for which the annotation declares it is no mistake of another one`(tasks: String) {
    let text = """
      \(tasks)
      #if DEBUG
      @EventTask(event: .idle, dependencies: [Fake.self])
      #else
      @EventTask(event: .idle, dependencies: [Real.self])
      #endif
      enum A {
        static func run(_ c: TaskContext<Void>) throws {
          #if DEBUG
          _ = try c.output(of: Fake.self)
          #else
          _ = try c.output(of: Real.self)
          #endif
        }
      }
      """
    #expect(generate(["App.swift": text]).diagnostics == [])
  }

  @Test(arguments: [
    "#if DEBUG\n\(real)\n#else\n@EventTask(event: .idle) enum A { \(run)c.output(of: Real.self) } }\n#endif",
    "\(real)\n@EventTask(event: .idle) enum A { \(run)\n#if false\nc.output(of: Real.self)\n#endif\n} }",
  ])
  func `what no build reads is let be`(text: String) {
    #expect(generate(["App.swift": text]).diagnostics == [])
  }

  private static let run = "static func run(_ c: TaskContext<Void>) { "

  @Test func `of the branches of an annotation each is looked at`() {
    let text = """
      @EventTask(event: .idle) enum Load {}
      #if DEBUG
      @EventTask(event: .idle, dependencies: [Load.self])
      #else
      @EventTask(event: .didBecomeActive, dependencies: [])
      #endif
      enum A { static func run(_ c: TaskContext<Void>) throws { try c.output(of: Load.self) } }
      """
    #expect(generate(["App.swift": text]).diagnostics.count == 1)
  }
}
