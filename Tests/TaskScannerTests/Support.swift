import Foundation
import TaskScanner

/// Generates for the module `App` from sources given by name.
func generate(
  _ files: [String: String], dependencies: [(name: String, files: [String: String])] = [], isComplete: Bool = true,
  zones: @escaping () -> [String] = { TimeZone.knownTimeZoneIdentifiers }
) -> Generation {
  func sources(_ files: [String: String]) -> [SourceText] {
    files.sorted { $0.key < $1.key }.map { SourceText(path: $0.key, $0.value) }
  }
  var modules: [(name: String, dependencies: Set<String>, files: [SourceText])] = []
  for dependency in dependencies {
    modules.append(
      (name: dependency.name, dependencies: Set(modules.map(\.name)), files: sources(dependency.files)))
  }
  modules.append((name: "App", dependencies: Set(modules.map(\.name)), files: sources(files)))
  return Generation(modules: modules, isComplete: isComplete, zones: zones)
}

/// The kinds and texts of a text's tokens: `word(a) binaryOperator(+)`.
func tokens(_ text: String) -> String {
  let source = SourceText(path: "a.swift", text)
  return source.withLexer { lexer in
    var parts: [String] = []
    while true {
      let token = lexer.next()
      if token.kind == .endOfFile { return parts.joined(separator: " ") }
      parts.append("\(token.kind)(\(source.text(token.span)))")
    }
  }
}

/// The transcript of a text's declarations.
func declarations(_ text: String) -> [String] {
  ScannerTranscript.lines(of: SourceText(path: "a.swift", text))
}
