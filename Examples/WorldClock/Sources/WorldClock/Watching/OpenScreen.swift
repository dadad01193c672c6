import Arguments
import Presentation
import TaskKit
import ZoneData
import ZoneIndex

/// What a watching program shows, and where.
struct Screen: Sendable {
  let console: Console
  let style: Style
  let queries: [String]
  /// What the program was launched with: read again with the database.
  let options: LaunchOptions
}

/// Begins the watch. All its other tasks depend on this one, so a program that shows the clocks once leaves it out, and
/// them with it.
@EventTask(event: .didFinishLaunching, dependencies: [ChooseStyle.self], after: ["ZoneIndex.BuildAtlas"])
enum OpenScreen {
  static func run(_ context: TaskContext<LaunchOptions>) async throws -> Screen {
    do {
      guard let console = context[Console.self], let invocation = context[Invocation.self] else {
        throw WatchFailure(description: "nobody said what to watch")
      }
      // `after:`, not a dependency: without an atlas this has to run, because the process has to end.
      _ = try await context.center.output(of: BuildAtlas.self)
      let queries = invocation.queries.isEmpty ? ["UTC"] : invocation.queries
      let answers = await context.center.answers(to: queries, at: context.payload[LaunchInstant.self] ?? 0)
      guard answers.failures.isEmpty else {
        throw WatchFailure(description: answers.failures.joined(separator: "\n"))
      }
      return Screen(
        console: console, style: try context.output(of: ChooseStyle.self), queries: queries, options: context.payload)
    } catch {
      context.center.shutDown()
      throw error
    }
  }

  static func stop(_ screen: Screen) async {
    await screen.console.write("screen closed")
  }
}

/// Why there is nothing to watch.
struct WatchFailure: Error, CustomStringConvertible {
  let description: String
}
