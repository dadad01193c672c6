"""A library with a macro and a build plugin that do nothing: what any library that has both of them costs."""

MANIFEST = """// swift-tools-version: 6.2
import CompilerPluginSupport
import PackageDescription

let package = Package(
  name: "floor-kit",
  platforms: [.macOS(.v15)],
  products: [.library(name: "Floor", targets: ["Floor"]), .plugin(name: "FloorPlugin", targets: ["FloorPlugin"])],
  dependencies: [.package(url: "https://github.com/swiftlang/swift-syntax", "600.0.1"..<"604.0.0")],
  targets: [
    .macro(
      name: "FloorMacros",
      dependencies: [
        .product(name: "SwiftCompilerPlugin", package: "swift-syntax"),
        .product(name: "SwiftSyntax", package: "swift-syntax"),
        .product(name: "SwiftSyntaxMacros", package: "swift-syntax"),
      ]),
    .target(name: "Floor", dependencies: ["FloorMacros"]),
    .executableTarget(name: "floor-tool"),
    .plugin(name: "FloorPlugin", capability: .buildTool(), dependencies: ["floor-tool"]),
  ]
)
"""

LIBRARY = """public protocol Nothing {}

@attached(member)
@attached(extension)
public macro Annotated(after: [Any.Type] = []) = #externalMacro(module: "FloorMacros", type: "AnnotatedMacro")
"""

MACRO = """import SwiftCompilerPlugin
import SwiftSyntax
import SwiftSyntaxMacros

@main
struct FloorMacros: CompilerPlugin {
  let providingMacros: [any Macro.Type] = [AnnotatedMacro.self]
}

struct AnnotatedMacro: MemberMacro, ExtensionMacro {
  static func expansion(
    of node: AttributeSyntax, providingMembersOf declaration: some DeclGroupSyntax, conformingTo: [TypeSyntax],
    in context: some MacroExpansionContext
  ) -> [DeclSyntax] { [] }

  static func expansion(
    of node: AttributeSyntax, attachedTo declaration: some DeclGroupSyntax, providingExtensionsOf: some TypeSyntaxProtocol,
    conformingTo: [TypeSyntax], in context: some MacroExpansionContext
  ) -> [ExtensionDeclSyntax] { [] }
}
"""

TOOL = """import Foundation

// Only the first build has something to do.
let output = CommandLine.arguments[1]
if !FileManager.default.fileExists(atPath: output) { try Data().write(to: URL(fileURLWithPath: output)) }
"""

PLUGIN = """import Foundation
import PackagePlugin

@main
struct FloorPlugin: BuildToolPlugin {
  func createBuildCommands(context: PluginContext, target: any Target) throws -> [Command] {
    let modules = (target.recursiveTargetDependencies + [target]).compactMap { $0 as? SwiftSourceModuleTarget }
      .filter { $0.recursiveTargetDependencies.contains { $0.name == "Floor" } }
    let output = context.pluginWorkDirectoryURL.appending(path: "Nothing.swift")
    return [
      .buildCommand(
        displayName: "Nothing for \\(target.name)", executable: try context.tool(named: "floor-tool").url,
        arguments: [output.path(percentEncoded: false)],
        inputFiles: modules.flatMap { $0.sourceFiles(withSuffix: "swift").map(\\.url) }, outputFiles: [output])
    ]
  }
}
"""

FILES = {
    "Package.swift": MANIFEST,
    "Sources/Floor/Floor.swift": LIBRARY,
    "Sources/FloorMacros/FloorMacros.swift": MACRO,
    "Sources/floor-tool/main.swift": TOOL,
    "Plugins/FloorPlugin/FloorPlugin.swift": PLUGIN,
}
