import TaskScanner
import Testing

/// Events that an annotation makes itself, held against all others of their name.
@Suite struct InlineEventTests {
  private static let made = "@EventTask(event: LifecycleEvent<Int, Void>(\"x\")) enum A {}"
  private static let declared = "extension LifecycleEvent<Int, Void> { static var x: Self { .init(\"x\") } }"

  /// What a build says of a payload or a reply, without the end of the sentence.
  private func conflict(_ difference: String, name: String = "x") -> String {
    "error: event '\(name)' \(difference); give one of them another name"
  }

  @Test(arguments: [
    (made, "@EventTask(event: LifecycleEvent<String, Void>(\"x\")) enum B {}", "1:19", "1:19"),
    (declared, "@EventTask(event: LifecycleEvent<String, Void>(\"x\")) enum B {}", "1:19", "1:50"),
    (made, "@EventTask(events: .idle, TaskKit.LifecycleEvent<String, Void>.init(\"x\")) enum B {}", "1:27", "1:19"),
    (
      made, "@TaskModule final class B {\n  @ModuleTask(event: LifecycleEvent<String, Void>(\"x\")) func run() {}\n}",
      "2:22", "1:19"
    ),
    (
      made, "enum C: D { @EventTask(event: LifecycleEvent<String, Void>(\"x\")) struct B {} }\nprotocol D {}", "1:31",
      "1:19"
    ),
  ])
  func `one event with two payloads is refused where an annotation makes it`(
    first: String, second: String, place: String, note: String
  ) {
    let found = generate(["A.swift": first, "B.swift": second]).diagnostics
    #expect(
      found == [
        "B.swift:\(place): \(conflict("carries 'String' here and 'Int' in module 'App'"))\n"
          + "A.swift:\(note): note: the other event 'x' is declared here"
      ])
  }

  @Test(arguments: [
    (made, "Int, Bool", "is answered with 'Bool' here and with 'Void' in module 'App'"),
    (declared, "[Int], Void", "carries '[Int]' here and 'Int' in module 'App'"),
    (declared, "Set<Array<Int>>, Void", "carries 'Set<Array<Int>>' here and 'Int' in module 'App'"),
    (declared, "(Int, Int), Void", "carries '(Int,Int)' here and 'Int' in module 'App'"),
  ])
  func `what differs is named as it is written`(first: String, types: String, difference: String) {
    let second = "@EventTask(event: LifecycleEvent<\(types)>(\"x\", reply: .all)) enum B {}"
    let found = generate(["A.swift": first, "B.swift": second]).diagnostics
    #expect(found.count == 1)
    #expect(found.first?.hasPrefix("B.swift:1:19: \(conflict(difference))") == true, "\(found)")
  }

  @Test(arguments: [("openURL", "OpenURLRequest"), ("willTerminate", "Void"), ("printFiles", "PrintRequest")])
  func `an event of TaskKit's is refused with another payload`(name: String, payload: String) {
    let text = "@EventTask(event: LifecycleEvent<Int, Void>(\"\(name)\")) enum A {}"
    #expect(
      generate(["A.swift": text]).diagnostics == [
        "A.swift:1:19: \(conflict("carries 'Int' here and '\(payload)' in TaskKit", name: name))"
      ])
  }

  @Test(arguments: [made, declared])
  func `what an imported module makes or declares counts`(core: String) {
    let text = "import Core\n@EventTask(event: LifecycleEvent<String, Void>(\"x\")) enum B {}"
    let found = generate(
      ["App.swift": text], dependencies: [(name: "Core", files: ["Core.swift": core])]
    ).diagnostics
    #expect(found.count == 1)
    #expect(
      found.first?.hasPrefix("App.swift:2:19: \(conflict("carries 'String' here and 'Int' in module 'Core'"))") == true)
  }

  @Test func `two imported modules that know nothing of each other are refused where they meet`() {
    let found = generate(
      ["App.swift": "import Core\nimport News"],
      dependencies: [
        (name: "Core", files: ["Core.swift": Self.made]),
        (name: "News", files: ["News.swift": Self.declared.replacing("Int", with: "String")]),
      ]
    ).diagnostics
    #expect(found.count == 1)
    #expect(
      found.first?.hasPrefix("News.swift:1:53: \(conflict("carries 'String' here and 'Int' in module 'Core'"))") == true
    )
  }

  @Test func `a hundred tasks that make one event are one event, and one that differs is one mistake`() {
    let tasks = (0..<100).map { "@EventTask(event: LifecycleEvent<Int, Void>(\"x\")) enum A\($0) {}" }
    let other = "@EventTask(event: LifecycleEvent<String, Void>(\"x\")) enum B {}"
    #expect(generate(["A.swift": tasks.joined(separator: "\n")]).diagnostics == [])
    #expect(generate(["A.swift": (tasks + [other]).joined(separator: "\n")]).diagnostics.count == 1)
  }

  @Test(arguments: [
    ("LifecycleEvent<[Int], Void>", "LifecycleEvent<Array<Int>, ()>"), ("LifecycleEvent<Int, Void>", "LifecycleEvent"),
    ("LifecycleEvent<Int, Void>", ".init"), ("LifecycleEvent<Int, Void>", "LifecycleEvent<_, Void>"),
    ("LifecycleEvent<Order, Void>", "TaskKit.LifecycleEvent<Shop.Order, Swift.Void>"),
    ("LifecycleEvent<Order, Void>", "LifecycleEvent<`Order`, Void>.init"),
    ("LifecycleEvent<any Error, Void>", "LifecycleEvent<Error, Void>"),
    ("LifecycleEvent<any Error, Void>", "LifecycleEvent<(any  Error), Void>"),
    ("LifecycleEvent<(any Error)?, Void>", "LifecycleEvent<Optional<any Error>, Void>"),
    ("LifecycleEvent<[Int], Void>", "LifecycleEvent<[Int /* a number */], Void>"),
    ("LifecycleEvent<Swift.Int, Void>", "LifecycleEvent<Swift::Int, Void>"),
    ("LifecycleEvent<UInt8, Void>", "LifecycleEvent<CUnsignedChar, Void>"),
    ("LifecycleEvent<Set<[Int]>, Void>", "LifecycleEvent<Set<Array<Int>>, Void>"),
    ("LifecycleEvent<[()], Void>", "LifecycleEvent<Array<Void>, Void>"),
  ])
  func `one type in two spellings is no conflict`(first: String, second: String) {
    for (first, second) in [(first, second), (second, first)] {
      let tasks = "@EventTask(event: \(first)(\"x\")) enum A {}\n@EventTask(event: \(second)(\"x\")) enum B {}"
      #expect(generate(["App.swift": tasks]).diagnostics == [])
    }
  }

  /// Inside of `Box` a name may mean what the sources show nowhere.
  @Test(arguments: [
    ("struct Box: IteratorProtocol { mutating func next() -> Order? { nil }", "Element", "Order"),
    ("struct Box: IteratorProtocol { mutating func next() -> Order? { nil }", "[Element]", "[Order]"),
    ("struct Box {}\nextension Box: Feed {}\nextension Box {", "Item", "Order"),
    ("extension Outside {", "Item", "Order"), ("enum Box: Feed {", "Item", "Order"),
    ("enum Box { struct Item {}", "Item", "Box.Item"), ("enum Box { typealias Item = Order", "Item", "Order"),
    ("enum Box { typealias Item = Order", "[Item]", "[Order]"), ("enum Box {", "Self", "Box"),
    ("enum Box { struct Item {}", "Item", "Thing"),
  ])
  func `what a name may mean inside of a type is no conflict`(box: String, inside: String, outside: String) {
    let files = [
      "App.swift": """
      \(box)
        @EventTask(event: LifecycleEvent<\(inside), Void>("x")) enum A {}
      }
      extension LifecycleEvent<\(outside), Void> { static var x: Self { .init("x") } }
      """,
      "More.swift": "struct Order {}\nprotocol Feed { typealias Item = Order }\ntypealias Thing = Box.Item",
      "Other.swift": "enum Other { typealias Item = Int }",
    ]
    #expect(generate(files).diagnostics == [])
  }

  @Test func `a member of a type that the sources do not show is no conflict`() {
    let text = """
      struct Box: IteratorProtocol { mutating func next() -> Order? { nil } }
      struct Order {}
      @EventTask(event: LifecycleEvent<Box.Element, Void>("x")) enum A {}
      @EventTask(event: LifecycleEvent<Order, Void>("x")) enum B {}
      """
    #expect(generate(["App.swift": text]).diagnostics == [])
  }

  @Test(arguments: ["[.]", ".", "[A::]", "(.)", "", "[.: Int]"])
  func `half a type is no conflict, and no end of the tool`(payload: String) {
    let text = "@EventTask(event: LifecycleEvent<\(payload), Void>(\"x\")) enum B {}"
    for first in [Self.made, Self.declared] {
      #expect(generate(["A.swift": first, "B.swift": text]).text != nil)
    }
  }

  /// In each file the compiler may find another branch.
  @Test(.timeLimit(.minutes(1)))
  func `one event in very many files is compared as often as it is written`() {
    let files = (0..<5_000).map { number in
      let payload = number.isMultiple(of: 2) ? "[Int]" : "Array<Int>"
      return (
        "A\(number).swift",
        """
        #if FLAG\(number)
        @EventTask(event: LifecycleEvent<\(payload), Void>("x")) enum A\(number) {}
        #endif
        """
      )
    }
    #expect(generate(Dictionary(uniqueKeysWithValues: files)).diagnostics == [])
  }

  @Test func `of two branches a build has one`() {
    let text = """
      #if DEBUG
      @EventTask(event: LifecycleEvent<Int, Void>("x")) enum A {}
      #else
      @EventTask(event: LifecycleEvent<String, Void>("x")) enum A {}
      #endif
      """
    #expect(generate(["App.swift": text]).diagnostics == [])
  }

  @Test(arguments: ["Int", "Item"])
  func `an alias inside of a type is followed`(payload: String) {
    let text = """
      enum Box {
        typealias Item = Int
        @EventTask(event: LifecycleEvent<\(payload), Void>("x")) enum A {}
      }
      extension LifecycleEvent<String, Void> { static var x: Self { .init("x") } }
      """
    #expect(generate(["App.swift": text]).diagnostics.count == 1)
  }
}
