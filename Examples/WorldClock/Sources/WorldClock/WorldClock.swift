import Foundation
import TaskKit

/// Shows what the clocks say elsewhere.
@main
enum WorldClock {
  static func main() async {
    let console = Console.standard
    let program = Program(
      arguments: Array(CommandLine.arguments.dropFirst()), environment: ProcessInfo.processInfo.environment,
      console: console)
    exit(await program.run())
  }
}
