import Foundation
import PackagePlugin

/// Collects the tasks of a target and of everything that it depends on into `TaskRegistry.generated`, and proves their
/// graph while building.
@main
struct TaskKitPlugin: BuildToolPlugin {
  func createBuildCommands(context: PluginContext, target: any Target) throws -> [Command] {
    guard let target = target as? SwiftSourceModuleTarget else {
      throw PluginError.noSwiftSources(target: target.name)
    }
    let modules = TaskKitPlugin.modules(of: target)
    guard modules.contains(where: { $0.name == "TaskKit" }) else {
      throw PluginError.noTaskKit(target: target.name)
    }
    let seeing = modules.filter { $0.dependencies.contains("TaskKit") }
    return [
      try TaskKitPlugin.command(
        for: target.name, modules: seeing, tool: context.tool(named: "taskkit-generate").url,
        in: context.pluginWorkDirectoryURL)
    ]
  }

  /// A module that is scanned.
  struct Module {
    let name: String
    /// The modules that it depends on, directly or through others.
    let dependencies: Set<String>
    let directory: URL
    let sources: [URL]
  }

  /// The target and all Swift modules that it depends on, also those of other packages, the target last.
  private static func modules(of target: SwiftSourceModuleTarget) -> [Module] {
    (target.recursiveTargetDependencies + [target]).compactMap { dependency in
      guard let module = dependency as? SwiftSourceModuleTarget, module.kind != .macro else { return nil }
      return Module(
        name: module.moduleName,
        dependencies: Set(
          module.recursiveTargetDependencies.compactMap { ($0 as? any SourceModuleTarget)?.moduleName }),
        directory: module.directoryURL,
        sources: module.sourceFiles(withSuffix: "swift").filter { $0.type == .source }.map(\.url))
    }
  }

  /// - Parameters:
  ///   - modules: the target's own last.
  ///   - isComplete: whether they are all that the target depends on.
  static func command(
    for target: String, modules: [Module], isComplete: Bool = true, tool: URL, in directory: URL
  ) throws -> Command {
    let request = directory.appending(path: "request.txt")
    let output = directory.appending(path: "TaskRegistry+Generated.swift")
    var text = isComplete ? "" : "incomplete\n"
    for module in modules {
      text += (["module", module.name] + module.dependencies.sorted()).joined(separator: "\t") + "\n"
      let prefix = module.directory.path(percentEncoded: false)
      for source in module.sources {
        let path = source.path(percentEncoded: false)
        // A line of the request each, with tabs between its parts.
        if path.contains(where: { $0 == "\t" || $0.isNewline }) { throw PluginError.unusablePath(path, target: target) }
        let relative = path.hasPrefix(prefix) ? path.dropFirst(prefix.count).drop { $0 == "/" } : path[...]
        text += "file\t\(path)\t\(relative)\n"
      }
    }
    // An unchanged request keeps its date, and the tool does not run for it.
    if (try? String(contentsOf: request, encoding: .utf8)) != text {
      try text.write(to: request, atomically: true, encoding: .utf8)
    }
    return .buildCommand(
      displayName: "Collecting the tasks of \(target)", executable: tool,
      arguments: [
        "--request", request.path(percentEncoded: false), "--output", output.path(percentEncoded: false),
      ],
      inputFiles: [request] + modules.flatMap(\.sources), outputFiles: [output])
  }
}

/// Why a target's tasks cannot be collected, and what to change.
enum PluginError: Error, CustomStringConvertible {
  case noSwiftSources(target: String)
  case noTaskKit(target: String)
  case unusablePath(String, target: String)

  var description: String {
    switch self {
    case .noSwiftSources(let target):
      "target '\(target)' has no Swift sources, so there are no tasks to collect; remove TaskKitPlugin from it"
    case .noTaskKit(let target):
      "target '\(target)' applies TaskKitPlugin and does not depend on TaskKit; add "
        + ".product(name: \"TaskKit\", package: \"TaskKit\") to its dependencies"
    case .unusablePath(let path, let target):
      "the tasks of target '\(target)' cannot be collected, because there is a tab or a line break in the path "
        + "\(path.debugDescription); rename the file or the folder"
    }
  }
}
