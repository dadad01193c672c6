import Foundation
import SwiftParser
import SwiftSyntax
import Testing

@Suite struct DiagnosticsTests {
  @Test func `each mistake of the catalogue has one id, its function's name, and a picture`() throws {
    let functions = try Self.catalogue()
    #expect(Set(functions).count == functions.count)
    #expect(Set(Self.pictures.flatMap(\.ids)) == Set(functions))
  }

  static let pictures: [Picture] =
    AnnotationTests.names + AnnotationTests.events + AnnotationTests.predecessors + AnnotationTests.limits
    + DependencyTests.dependencies + RunMethodTests.methods + RunMethodTests.instances + StopMethodTests.methods
    + SwitchTests.switches
    + TaskTargetTests.targets + TaskTypeTests.declarations + TaskTypeTests.names + [ManyProblemsTests.picture]
    + ModuleProblemTests.modules + ModuleProblemTests.marks + ModuleProblemTests.needs
    + ScheduleTests.times + ScheduleTests.calendars + NotificationTests.notifications + NotificationTests.sequences

  /// The names of the functions in `Diagnostics.swift` and its companions that make one mistake, read from the source.
  private static func catalogue() throws -> [String] {
    let names = ["", "+Occasions", "+Methods", "+Modules", "+Calendar"].map { "Diagnostics\($0)" }
    return try names.flatMap { name in
      let file = URL(filePath: #filePath).deletingLastPathComponent()
        .appending(path: "../../Sources/TaskKitMacros/\(name).swift")
      let source = Parser.parse(source: try String(contentsOf: file, encoding: .utf8))
      return source.statements.flatMap { statement in
        (statement.item.as(ExtensionDeclSyntax.self)?.memberBlock.members ?? [])
          .compactMap { $0.decl.as(FunctionDeclSyntax.self) }
          .filter { !$0.modifiers.contains { $0.name.text == "fileprivate" } }
          .filter { $0.signature.returnClause?.type.trimmedDescription == "Diagnostic" }
          .map(\.name.text)
      }
    }
  }
}
