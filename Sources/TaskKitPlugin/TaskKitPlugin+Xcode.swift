#if canImport(XcodeProjectPlugin)
import Foundation
import PackagePlugin
import XcodeProjectPlugin

// Xcode tells a plugin the sources of the target itself and of the project's targets that it depends on, not those of
// packages. For tasks in packages, each package target applies the plugin, and the app's registry is put together by
// hand from their functions, or the tool is run as a build phase of its own.
extension TaskKitPlugin: XcodeBuildToolPlugin {
  func createBuildCommands(context: XcodePluginContext, target: XcodeTarget) throws -> [Command] {
    let own = Module(
      name: target.product?.name ?? target.displayName, dependencies: ["TaskKit"],
      directory: context.xcodeProject.directoryURL,
      sources: target.inputFiles.filter { $0.url.pathExtension == "swift" }.map(\.url))
    return [
      try TaskKitPlugin.command(
        for: target.displayName, modules: [own], tool: context.tool(named: "taskkit-generate").url,
        in: context.pluginWorkDirectoryURL)
    ]
  }
}
#endif
