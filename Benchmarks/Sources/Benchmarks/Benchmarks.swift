import Foundation
import Measuring

/// Runs the suites and prints what they found out.
@main
enum Benchmarks {
  static func main() async {
    guard let options = Options(CommandLine.arguments.dropFirst()) else {
      print(Options.usage)
      exit(2)
    }
    await run(options)
  }

  /// Off the main actor, to which a hop would cost more than what is measured.
  @concurrent
  private static func run(_ options: Options) async {
    var sections: [Section] = []
    for suite in Suite.all where options.includes(suite: suite.name) {
      let section = await suite.run(options)
      sections.append(section)
      if !options.isJSON {
        print(section)
        fflush(nil)
      }
    }
    let output = Output(sections)
    print(options.isJSON ? output.json : output.description)
    exit(sections.allSatisfy(\.mistakes.isEmpty) ? 0 : 1)
  }
}
