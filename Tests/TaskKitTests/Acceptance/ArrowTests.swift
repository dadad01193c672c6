import Foundation
import Testing

/// The arrows between the targets (DESIGN 3): what a target may import and what the package may give it, and nothing
/// else. Who adds one adds it here, on purpose.
@Suite struct ArrowTests {
  private struct Arrows {
    /// What the package may give it.
    var dependencies: Set<String> = []
    /// What its sources may import beside that and the standard library.
    var system: Set<String> = []
  }

  /// The compiler's own.
  private static let standardLibrary: Set = ["Swift", "Synchronization"]
  private static let cLibrary: Set = ["Android", "Darwin", "Glibc", "Musl"]

  private static let targets: [String: Arrows] = [
    "TaskGraph": Arrows(),
    "TaskKitMacros": Arrows(
      dependencies: [
        "SwiftCompilerPlugin", "SwiftDiagnostics", "SwiftSyntax", "SwiftSyntaxBuilder", "SwiftSyntaxMacros",
      ]),
    // What Swift cannot say of the C library.
    "CTaskKit": Arrows(),
    "TaskKit": Arrows(
      dependencies: ["CTaskKit", "TaskGraph", "TaskKitMacros"],
      system: cLibrary.union(["AppKit", "CloudKit", "Dispatch", "Foundation", "SwiftUI", "UIKit", "UserNotifications"])),
    "TaskKitTesting": Arrows(dependencies: ["TaskKit"], system: ["Foundation"]),
    "TaskKitDurable": Arrows(
      dependencies: ["GRDB", "GRDBSQLite", "TaskKit", "TaskKitMacros"],
      system: cLibrary.union(["BackgroundTasks", "Dispatch", "Foundation", "Network", "UIKit"])),
    "TaskKitDurableTesting": Arrows(
      dependencies: ["TaskKit", "TaskKitDurable", "TaskKitTesting"], system: ["Foundation"]),
    "CPostgres": Arrows(),
    "TaskKitPostgres": Arrows(
      dependencies: ["CPostgres", "CTaskKit", "TaskKit", "TaskKitDurable"],
      system: cLibrary.union(["Dispatch", "Foundation"])),
    "taskkit-migrate": Arrows(
      dependencies: ["GRDB", "TaskKitDurable", "TaskKitPostgres"], system: cLibrary.union(["Foundation"])),
    "TaskScanner": Arrows(dependencies: ["TaskGraph"], system: cLibrary.union(["Foundation"])),
    "taskkit-generate": Arrows(dependencies: ["TaskScanner"], system: ["Foundation"]),
    "TaskKitPlugin": Arrows(
      dependencies: ["taskkit-generate"], system: ["Foundation", "PackagePlugin", "XcodeProjectPlugin"]),
  ]

  private static let root = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../../..")
    .standardized

  // MARK: - Reading

  /// The modules that a source imports.
  static func imports(in source: String) -> [String] {
    source.split(separator: "\n").compactMap { line in
      var words = line.split(separator: " ").drop { $0.hasPrefix("@") || accessLevels.contains($0) }
      guard words.popFirst() == "import" else { return nil }
      if let kind = words.first, kinds.contains(kind) { words.removeFirst() }
      return words.first.map { String($0.prefix { $0 != "." && $0 != ";" }) }
    }
  }

  private static let accessLevels: Set<Substring> = ["public", "package", "internal", "fileprivate", "private"]
  private static let kinds: Set<Substring> = [
    "actor", "class", "enum", "func", "let", "protocol", "struct", "typealias", "var",
  ]

  /// By target, what the package gives it.
  static func dependencies(inPackage manifest: String) -> [String: Set<String>] {
    var found: [String: Set<String>] = [:]
    let target = /\.(?:target|executableTarget|macro|plugin|systemLibrary)\(\s*name: "([^"]+)"/
    let name = /"([^"]+)"/
    for declared in manifest.matches(of: target) {
      let rest = manifest[declared.range.upperBound...]
      // The declaration ends where its parenthesis does.
      var depth = 1
      let end = rest.firstIndex { character in
        if character == "(" { depth += 1 } else if character == ")" { depth -= 1 }
        return depth == 0
      }
      let declaration = String(rest[..<(end ?? rest.endIndex)])
        // A package and a trait are no modules, and its own folder is none.
        .replacing(/package: "[^"]+"/, with: "").replacing(/condition: \.when\(traits: \[[^\]]*\]\)/, with: "")
      let list = declaration.firstMatch(of: /dependencies: \[([^\]]*)\]/)?.output.1 ?? ""
      found[String(declared.output.1), default: []].formUnion(list.matches(of: name).map { String($0.output.1) })
    }
    return found
  }

  // MARK: - Tests

  @Test func `each source imports only what its target may`() throws {
    let sources = Self.root.appending(path: "Sources")
    let names = try FileManager.default.contentsOfDirectory(atPath: sources.path)
    #expect(Set(names) == Set(Self.targets.keys))
    var count = 0
    for name in names {
      let target = try #require(Self.targets[name], "\(name)")
      let allowed = target.dependencies.union(target.system).union(Self.standardLibrary)
        // Where a test compiles some of them with stand-ins for the system's modules.
        .union([name])
      let files = FileManager.default.enumerator(at: sources.appending(path: name), includingPropertiesForKeys: nil)
      for case let file as URL in try #require(files) where file.pathExtension == "swift" {
        count += 1
        for module in Self.imports(in: try String(contentsOf: file, encoding: .utf8)) where !allowed.contains(module) {
          Issue.record("\(name) may not import \(module): \(file.lastPathComponent)")
        }
      }
    }
    #expect(count > 300)
  }

  @Test func `the package gives each target only what it may have`() throws {
    let manifest = try String(contentsOf: Self.root.appending(path: "Package.swift"), encoding: .utf8)
    let given = Self.dependencies(inPackage: manifest)
    for (name, target) in Self.targets {
      let modules = try #require(given[name], "the package has no target \(name)")
      #expect(modules.isSubset(of: target.dependencies), "\(name)")
    }
    // Nothing is passed over in silence.
    #expect(given["TaskKit"] == ["CTaskKit", "TaskGraph", "TaskKitMacros"])
    #expect(given["TaskKitDurable"] == ["GRDB", "GRDBSQLite", "TaskKit", "TaskKitMacros"])
    #expect(given["TaskKitPostgres"] == ["CPostgres", "CTaskKit", "TaskKitDurable"])
  }

  @Test func `an arrow that is added is seen in every form`() {
    let source = """
      // import InAComment
      import struct GRDB.Row
      @preconcurrency public import SwiftSyntax
      @_spi(Plugin) import NIO; let text = "import Text"
        package import Logging
      """
    #expect(Self.imports(in: source) == ["GRDB", "SwiftSyntax", "NIO", "Logging"])
    let manifest = """
      .target(name: "Alone"),
      .target(
        name: "Many",
        dependencies: [
          "One", .product(name: "Two", package: "other", condition: .when(traits: ["Trait"])),
          .target(name: "Three", condition: .when(traits: ["Trait"])), .byName(name: "Four"),
        ], path: "Elsewhere"),
      """
    #expect(
      Self.dependencies(inPackage: manifest) == ["Alone": [], "Many": ["One", "Two", "Three", "Four"], "Three": []])
  }
}
