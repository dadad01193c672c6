import TaskScanner
import Testing

/// Chains of `dependencies:` that overflow the compiler's stack.
@Suite struct LongChainTests {
  /// Tasks that each need the one before.
  private func chain(_ numbers: Range<Int>, options: (Int) -> String = { "dependencies: [A\($0 - 1).self]" }) -> String
  {
    numbers.map { number in
      let more = number == 0 ? "" : ", " + options(number)
      return "@EventTask(event: .idle\(more)) public enum A\(number) { public static func run() {} }"
    }.joined(separator: "\n")
  }

  @Test func `a chain of more than five hundred tasks of one module is a warning at its middle`() {
    let found = generate(["App.swift": chain(0..<501)])
    #expect(
      found.diagnostics == [
        "App.swift:251:41: warning: task 'App.A250' is in the middle of a chain of 501 dependencies in one module, and "
          + "the compiler, which reads them one inside the other, may overflow its stack in a debug build; name "
          + "'App.A249' in 'after:' instead, or move a part of the chain into another module\n"
          + "App.swift:1:1: note: 'App.A0' is declared here"
      ])
    #expect(found.text != nil)
  }

  @Test func `the order in which the tasks are declared makes no difference`() {
    let lines = chain(0..<501).split(separator: "\n").reversed().joined(separator: "\n")
    let found = generate(["App.swift": lines]).diagnostics
    #expect(found.count == 1)
    #expect(found.first?.hasPrefix("App.swift:251:41: warning: task 'App.A250' is in the middle") == true)
  }

  @Test func `of several dependencies the one that continues the chain is blamed`() {
    let first = "@EventTask(event: .idle) public enum Other { public static func run() {} }\n"
    let found = generate([
      "App.swift": first + chain(0..<501) { "dependencies: [Other.self, A\($0 - 1).self]" }
    ]).diagnostics
    #expect(found.count == 1)
    #expect(
      found.first?.hasPrefix("App.swift:252:53: warning: task 'App.A250' is in the middle of a chain of 501") == true)
    #expect(found.first?.contains("name 'App.A249' in 'after:' instead") == true)
  }

  @Test func `five hundred in a row are none, nor are thousands side by side`() {
    #expect(generate(["App.swift": chain(0..<500)]).diagnostics == [])
    #expect(generate(["App.swift": chain(0..<2_000) { _ in "dependencies: [A0.self]" }]).diagnostics == [])
  }

  @Test(arguments: ["after: [\"A249\"]", "priority: .low"])
  func `what breaks the chain ends the warning`(link: String) {
    let text = chain(0..<600) { $0 == 250 ? link : "dependencies: [A\($0 - 1).self]" }
    #expect(generate(["App.swift": text]).diagnostics == [])
  }

  @Test func `a part in another module breaks the chain, and a long one there was told in its own build`() {
    let text = "import Core\n" + chain(300..<600)
    #expect(
      generate(["App.swift": text], dependencies: [(name: "Core", files: ["Core.swift": chain(0..<300)])]).diagnostics
        == [])
    let other = "import Core\n" + chain(600..<610)
    #expect(
      generate(["App.swift": other], dependencies: [(name: "Core", files: ["Core.swift": chain(0..<600)])]).diagnostics
        == [])
  }

  @Test func `a circle of a thousand is an error, and no chain`() {
    let text = chain(0..<1_000).replacing("(event: .idle)", with: "(event: .idle, dependencies: [A999.self])")
    let found = generate(["App.swift": text]).diagnostics
    #expect(found.count == 1)
    #expect(found.first?.contains("these tasks wait for each other") == true)
  }
}
