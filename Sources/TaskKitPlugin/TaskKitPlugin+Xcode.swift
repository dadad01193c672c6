#if canImport(XcodeProjectPlugin)
import Foundation
import PackagePlugin
import XcodeProjectPlugin

// Xcode tells a plugin the sources of the target itself, but not on what it depends: the list of dependencies is empty. So
// '.generated' has the target's own tasks alone, and the app puts its registry together from the modules' functions, which
// looks other modules' tasks up at run time. A task that needs one makes '.generated' unavailable, so that it is not lost.
// Or the tool is run as a build phase of its own, which can name all modules. 'DeclaringTasks' of the documentation says how.
extension TaskKitPlugin: XcodeBuildToolPlugin {
  func createBuildCommands(context: XcodePluginContext, target: XcodeTarget) throws -> [Command] {
    let own = Module(
      name: TaskKitPlugin.moduleName(of: target.product?.name ?? target.displayName), dependencies: ["TaskKit"],
      directory: context.xcodeProject.directoryURL,
      sources: target.inputFiles.filter { $0.url.pathExtension == "swift" }.map(\.url))
    return [
      try TaskKitPlugin.command(
        for: target.displayName, modules: [own], isComplete: false, tool: context.tool(named: "taskkit-generate").url,
        in: context.pluginWorkDirectoryURL)
    ]
  }

  /// `My App.app` is the module `My_App`.
  private static func moduleName(of product: String) -> String {
    var name = product
    for ending in [".app", ".appex", ".framework", ".xctest"] where name.hasSuffix(ending) {
      name.removeLast(ending.count)
    }
    let words = String(name.map { $0.isLetter || $0.isNumber || $0 == "_" ? $0 : "_" })
    return words.first?.isNumber == true ? "_" + words : words
  }
}
#endif
