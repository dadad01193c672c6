import Foundation
import SwiftParser
import SwiftSyntax
import TaskScanner
import Testing

/// Changes real files by chance, always the same for the same seed. Whatever comes out, the scanner ends; and where
/// swift-syntax has nothing to complain about, both find the same. There is never a silent difference.
@Suite struct FuzzTests {
  /// Files for each seed; `TASKKIT_FULL_AGREEMENT=1` does ten times as much, `TASKKIT_SEED=7` makes other changes.
  private static let rounds = environment["TASKKIT_FULL_AGREEMENT"] == nil ? 1_500 : 15_000
  private static let seed = environment["TASKKIT_SEED"].flatMap(UInt64.init) ?? 1
  private static let environment = ProcessInfo.processInfo.environment

  /// Changes files by chance, as many as there are rounds.
  ///
  /// - Parameter body: gets what a file has been changed into, its path, and what to call that.
  private static func change(
    _ files: [URL], seed: UInt64, isAnnotated: Bool = false,
    _ body: (_ bytes: [UInt8], _ path: String, _ title: String) throws -> Void
  ) async throws {
    var random = SeededGenerator(seed: seed)
    for _ in 0..<rounds {
      // Other tests wait for a thread.
      await Task.yield()
      let file = files[random.next(below: files.count)]
      let changeSeed = random.next()
      var mutator = SourceMutator(seed: changeSeed, isAnnotated: isAnnotated)
      try body(mutator.mutate(Array(try Data(contentsOf: file))), file.path, "\(file.path), seed \(changeSeed)")
    }
  }

  @Test(arguments: [seed, seed + 1])
  func `changed files are read as swift-syntax reads them`(seed: UInt64) async throws {
    // Small files: what is found is the same, and found sooner.
    let files = SwiftSources.files.filter {
      let size = (try? FileManager.default.attributesOfItem(atPath: $0.path)[.size] as? Int) ?? nil
      return (200..<6_000).contains(size ?? 0)
    }
    try #require(!files.isEmpty)
    var compared = 0
    var differences: [String] = []
    try await Self.change(files, seed: seed) { bytes, path, title in
      let actual = ScannerTranscript.lines(of: SourceText(path: path, utf8: bytes))
      let tree = bytes.withUnsafeBufferPointer { Parser.parse(source: $0) }
      if tree.hasError { return }
      compared += 1
      let expected = SyntaxTranscript.lines(of: tree)
      if expected != actual {
        differences.append(AgreementTests.difference(expected, actual, in: title))
      }
    }
    print("fuzz, seed \(seed): \(Self.rounds) changed files, \(compared) of them valid and compared")
    #expect(compared >= Self.rounds / 10)
    #expect(differences == [])
  }

  /// What stands behind the declarations: options, conditions, members in extensions, and all that is checked of them.
  @Test(arguments: [seed + 3, seed + 4])
  func `changed annotations are read to their end, the same each time, and what is said of them has its place`(
    seed: UInt64
  ) async throws {
    let files = SwiftSources.annotated
    try #require(files.count >= 100)
    var withTasks = 0
    var mistakes: [String] = []
    try await Self.change(files, seed: seed, isAnnotated: true) { bytes, _, title in
      func generation() -> Generation {
        Generation(
          modules: [(name: "App", dependencies: [], files: [SourceText(path: "App.swift", utf8: bytes)])],
          isComplete: true)
      }
      let (first, second) = (generation(), generation())
      if first.text?.contains("registration") == true || !first.diagnostics.isEmpty { withTasks += 1 }
      if first.text != second.text || first.diagnostics != second.diagnostics {
        mistakes.append("\(title): not the same each time")
      }
      let lineCount = bytes.split(omittingEmptySubsequences: false) { $0 == 0x0A || $0 == 0x0D }.count
      for line in first.diagnostics.flatMap({ $0.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline) })
      {
        let parts = line.split(separator: ":", maxSplits: 4)
        let place = parts.count == 5 ? parts[1...2].compactMap { Int($0) } : []
        if parts.first != "App.swift" || place.count != 2 || !(1...lineCount).contains(place[0]) || place[1] < 1
          || ![" error", " warning", " note"].contains(parts[3])
        {
          mistakes.append("\(title): \(line)")
        }
      }
    }
    print("fuzz of annotations, seed \(seed): \(Self.rounds) changed files, \(withTasks) of them with something to say")
    #expect(withTasks >= Self.rounds / 2)
    #expect(mistakes == [])
  }

  /// Where the source is sound, what is read off the arguments is what swift-syntax reads: texts, numbers, names, types.
  @Test(arguments: [seed + 5, seed + 6])
  func `the arguments of changed annotations are read as swift-syntax reads them`(seed: UInt64) async throws {
    let files = SwiftSources.annotated
    try #require(files.count >= 100)
    var compared = 0
    var read = 0
    var differences: [String] = []
    try await Self.change(files, seed: seed, isAnnotated: true) { bytes, path, title in
      let tree = bytes.withUnsafeBufferPointer { Parser.parse(source: $0) }
      if tree.hasError { return }
      compared += 1
      let expected = SyntaxTranscript.lines(of: tree) + ArgumentTranscript.lines(of: tree)
      let source = SourceText(path: path, utf8: bytes)
      let arguments = ArgumentTranscript.lines(of: source)
      read += arguments.count
      let actual = ScannerTranscript.lines(of: source) + arguments
      if expected != actual {
        differences.append(AgreementTests.difference(expected, actual, in: title))
      }
    }
    print(
      "fuzz of arguments, seed \(seed): \(compared) of \(Self.rounds) changed files are valid, \(read) arguments read")
    #expect(compared >= Self.rounds / 10)
    #expect(read >= compared * 2)
    #expect(differences == [])
  }

  @Test func `random bytes come to an end`() {
    var random = SeededGenerator(seed: Self.seed + 2)
    for _ in 0..<500 {
      let bytes = (0..<random.next(below: 400)).map { _ in UInt8(random.next(below: 256)) }
      _ = ScannerTranscript.lines(of: SourceText(path: "random", utf8: bytes))
    }
  }
}
