#if Durable
import Foundation
import Measuring

/// What durable work costs, against what one writes by hand and against a library that people use today.
@main
enum DurableBenchmarks {
  static func main() async throws {
    #if Postgres
    if try await ServerWorker.isThis(Array(CommandLine.arguments.dropFirst())) { return }
    #endif
    guard let settings = Settings(CommandLine.arguments.dropFirst()) else {
      print(Settings.usage)
      exit(2)
    }
    await run(settings)
  }

  /// Off the main actor, to which a hop would cost more than what is measured.
  @concurrent
  private static func run(_ settings: Settings) async {
    var sections: [Section] = []
    do {
      let folder = settings.folder.appending(path: "DurableBenchmarks-\(UUID().uuidString)")
      try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
      defer { try? FileManager.default.removeItem(at: folder) }
      for suite in Suite.all where settings.includes(suite) {
        let section = try await suite.run(settings, folder)
        sections.append(section)
        if !settings.isJSON {
          print(section)
          fflush(nil)
        }
      }
    } catch {
      FileHandle.standardError.write(Data("\(error)\n".utf8))
      exit(1)
    }
    let output = Output(sections)
    print(settings.isJSON ? output.json : output.description)
    exit(sections.allSatisfy(\.mistakes.isEmpty) ? 0 : 1)
  }
}
#else
/// Without the trait there is nothing to measure.
@main
enum DurableBenchmarks {
  static func main() { print("build with --traits Durable") }
}
#endif
