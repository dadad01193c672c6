import Foundation

/// The Swift files of this package, and those that a build of it has checked out: swift-syntax at least, with the parser's
/// own tests, which hold the strangest source there is.
enum SwiftSources {
  /// Sorted by path.
  static let files = packageDirectory().map { swiftFiles(in: own(of: $0) + checkouts(of: $0)) } ?? []

  /// What the packages of the integration tests consist of: every annotation there is, right and wrong. Sorted by path.
  static let annotated =
    packageDirectory().map { swiftFiles(in: [$0.appendingPathComponent("Tests/Integration")]) } ?? []

  private static func swiftFiles(in directories: [URL]) -> [URL] {
    var found: [URL] = []
    for directory in directories {
      // What packages inside of this one have built is hidden.
      let enumerator = FileManager.default.enumerator(
        at: directory, includingPropertiesForKeys: nil, options: .skipsHiddenFiles)
      while let url = enumerator?.nextObject() as? URL {
        // `GRDB.swift` is a folder.
        if url.pathExtension == "swift", !url.hasDirectoryPath { found.append(url) }
      }
    }
    return found.sorted { $0.path < $1.path }
  }

  /// Found upwards from the running tests, whatever scratch path they were built in, and else from this file.
  private static func packageDirectory() -> URL? {
    var directory = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
    while directory.path.count > 1 {
      if FileManager.default.fileExists(atPath: directory.appendingPathComponent("Package.swift").path) {
        return directory
      }
      directory.deleteLastPathComponent()
    }
    return nil
  }

  private static func own(of package: URL) -> [URL] {
    ["Sources", "Tests", "Examples", "Benchmarks"].map(package.appendingPathComponent)
  }

  private static func checkouts(of package: URL) -> [URL] {
    var scratch: [URL] = []
    // The scratch path of the build that is running: the test's own executable lies in it.
    var directory = Bundle.allBundles.first?.bundleURL.resolvingSymlinksInPath() ?? package
    for argument in CommandLine.arguments.prefix(1) {
      directory = URL(fileURLWithPath: argument).resolvingSymlinksInPath()
    }
    while directory.path.count > 1 {
      scratch.append(directory)
      directory.deleteLastPathComponent()
    }
    let siblings =
      (try? FileManager.default.contentsOfDirectory(at: package, includingPropertiesForKeys: nil)) ?? []
    scratch += siblings.filter { $0.lastPathComponent.hasPrefix(".build") }.sorted { $0.path < $1.path }
    let found = scratch.map { $0.appendingPathComponent("checkouts") }.filter {
      FileManager.default.fileExists(atPath: $0.path)
    }
    // One is enough: all scratch paths hold the same packages.
    return Array(found.prefix(1))
  }
}
