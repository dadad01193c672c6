import Foundation
import SwiftParser
import SwiftSyntax
import TaskScanner
import Testing

/// Holds the scanner against the parser of swift-syntax: same types, same nesting, same attributes and arguments, same
/// conditions, same imports.
@Suite struct AgreementTests {
  @Test func `the scanner and swift-syntax find the same declarations in every file`() async throws {
    let files = SwiftSources.files
    let comparison = await withTaskGroup { group in
      let parts = 2
      for part in 0..<parts {
        group.addTask { await Self.compare(files.enumerated().filter { $0.offset % parts == part }.map(\.element)) }
      }
      return await group.reduce(into: Comparison()) { $0.add($1) }
    }
    print(
      "agreement: \(comparison.files) files compared, \(comparison.declarations) declarations; left out are "
        + "\(comparison.faulty) that swift-syntax finds faulty")
    #expect(
      comparison.files >= 2_400,
      "swift-syntax and GRDB are checked out beside this package: \(SwiftSources.files.count) files were found")
    #expect(comparison.files + comparison.faulty == SwiftSources.files.count)
    #expect(comparison.faulty <= SwiftSources.files.count / 50)
    #expect(comparison.differences == [])
  }

  /// What no real file has, and some changed ones.
  @Test(arguments: [
    "@EventTask(name: \"\\({ struct Inner {} }())\", event: .a) struct Outer {}",
    "@Foo({ struct Inner {} }) struct Outer { @Foo(\"\\({ enum Inner {} }())\") func f() {} }",
    "@EventTask(event: .dia::b.cd) enum A {}",
    "@EventTask(event: M::A.b, dependencies: [M::A.self, B.M::A.self], after: [.a::b(c: A::B)]) enum A {}",
    "@EventTask(event: .dA<B>.x) enum A {}",
    "@EventTask(event: A<B<C, ()>(1), lane: A<B<C, D>>.x, after: A<B<C, D>, E<F, (G)>(\"h\")) enum A {}",
    "@EventTask(event: .dA<B, C>.x, lane: .a.b<B, C>.x, after: .init<A, B>(1)) enum A {}",
    "@EventTask(event: .a::b<B, C>.x, lane: a::b<B, C>.x, after: [try .a<B, C>.b, A<B>.a<B, C>.b]) enum A {}",
    "@EventTask(event: .A.self) enum A {}",
    "@EventTask(event: LifecycleEvent<@Sendable () -> Void, [3 of Int]>(\"a\"), lane: A<3, B!>.c) enum A {}",
    "@EventTask(event: LifecycleEvent<String,@EventTask(events: .idle, .reload) Void>(\"a\")) enum A {}",
    "@EventTask(event: $0.a, dependencies: [$0.self, $a.self, $1.A.self], lane: $0<A, B>.c) enum A {}",
    "@TaskModule class A {\n#if B\n@ModuleTask(event: .c)\n#endif\nfunc d() {} }",
  ])
  func `rare forms are read as swift-syntax reads them`(text: String) {
    let tree = Parser.parse(source: text)
    #expect(!tree.hasError)
    let source = SourceText(path: "a.swift", text)
    #expect(ScannerTranscript.lines(of: source) == SyntaxTranscript.lines(of: tree))
    #expect(ArgumentTranscript.lines(of: source) == ArgumentTranscript.lines(of: tree))
  }

  private struct Comparison: Sendable {
    var files = 0
    /// What swift-syntax complains about itself.
    var faulty = 0
    var declarations = 0
    var differences: [String] = []

    mutating func add(_ other: Comparison) {
      files += other.files
      faulty += other.faulty
      declarations += other.declarations
      differences += other.differences
    }
  }

  private static func compare(_ files: [URL]) async -> Comparison {
    var comparison = Comparison()
    for file in files {
      // Other tests wait for a thread.
      await Task.yield()
      // The count below says how many were read.
      guard let data = try? Data(contentsOf: file) else { continue }
      let bytes = Array(data)
      let tree = bytes.withUnsafeBufferPointer { Parser.parse(source: $0) }
      if tree.hasError {
        comparison.faulty += 1
        continue
      }
      let expected = SyntaxTranscript.lines(of: tree)
      let actual = ScannerTranscript.lines(of: SourceText(path: file.path, utf8: bytes))
      comparison.files += 1
      comparison.declarations += expected.count
      if expected != actual { comparison.differences.append(difference(expected, actual, in: file.path)) }
    }
    return comparison
  }

  static func difference(_ expected: [String], _ actual: [String], in path: String) -> String {
    let changes = actual.difference(from: expected).prefix(4).map { change in
      switch change {
      case .insert(_, let line, _): "only the scanner: \(line)"
      case .remove(_, let line, _): "only swift-syntax: \(line)"
      }
    }
    return "\(path)\n  " + changes.joined(separator: "\n  ")
  }
}
