import Arguments
import Presentation
import TaskKit
import ZoneData

/// Tells what was not so bad that it had to be an error, and how long it all took.
@EventTask(event: .willTerminate, dependencies: [Stopwatch.self, ChooseStyle.self])
enum Farewell {
  @MainActor static func run(_ context: TaskContext<Void>) throws {
    guard let console = context[Console.self] else { return }
    for notice in context[Notices.self]?.all ?? [] { console.writeError("note: \(notice)") }
    guard context[Invocation.self]?.isJSON != true else { return }
    let milliseconds = (ContinuousClock.now - (try context.output(of: Stopwatch.self))) / .milliseconds(1)
    console.write(try context.output(of: ChooseStyle.self).dim("done in \(Int(milliseconds.rounded())) ms"))
  }
}
