import Foundation
import SwiftParser
import SwiftSyntax
import TaskScanner
import Testing

/// Changes real files by chance, always the same for the same seed. Whatever comes out, the scanner ends; and where
/// swift-syntax has nothing to complain about, both find the same. There is never a silent difference.
@Suite struct FuzzTests {
  /// A seed with its files; `TASKKIT_FULL_AGREEMENT=1` does ten times as much.
  private static var rounds: Int {
    ProcessInfo.processInfo.environment["TASKKIT_FULL_AGREEMENT"] == nil ? 1_500 : 15_000
  }

  @Test(arguments: [1, 2] as [UInt64])
  func `changed files are read as swift-syntax reads them`(seed: UInt64) throws {
    // Small files: what is found is the same, and found sooner.
    let files = SwiftSources.files.filter {
      let size = (try? FileManager.default.attributesOfItem(atPath: $0.path)[.size] as? Int) ?? nil
      return (200..<6_000).contains(size ?? 0)
    }
    try #require(!files.isEmpty)
    var random = SeededGenerator(seed: seed)
    var compared = 0
    var differences: [String] = []
    for _ in 0..<Self.rounds {
      let file = files[random.next(below: files.count)]
      let changeSeed = random.next()
      var mutator = SourceMutator(seed: changeSeed)
      let bytes = mutator.mutate(Array(try Data(contentsOf: file)))
      let actual = ScannerTranscript.lines(of: SourceText(path: file.path, utf8: bytes))
      let tree = bytes.withUnsafeBufferPointer { Parser.parse(source: $0) }
      if tree.hasError { continue }
      compared += 1
      let expected = SyntaxTranscript.lines(of: tree)
      if expected != actual {
        differences.append(AgreementTests.difference(expected, actual, in: "\(file.path), seed \(changeSeed)"))
      }
    }
    print("fuzz, seed \(seed): \(Self.rounds) changed files, \(compared) of them valid and compared")
    #expect(compared >= Self.rounds / 10)
    #expect(differences == [])
  }

  @Test func `random bytes come to an end`() {
    var random = SeededGenerator(seed: 3)
    for _ in 0..<500 {
      let bytes = (0..<random.next(below: 400)).map { _ in UInt8(random.next(below: 256)) }
      _ = ScannerTranscript.lines(of: SourceText(path: "random", utf8: bytes))
    }
  }
}
