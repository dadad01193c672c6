import Arguments
import Presentation
import TaskKit
import ZoneData
import ZoneIndex

/// From the launch to the last answer.
struct Session {
  let center: TaskCenter
  let invocation: Invocation
  let options: LaunchOptions
  let console: Console

  /// - Returns: what went wrong, for people; empty if nothing did.
  func run() async throws -> [String] {
    if let home = Home(invocation, environment: options.environment) { try center.inject(home.definition) }
    var reports = [
      await center.send(.willFinishLaunching, options), await center.send(.didFinishLaunching, options),
    ]
    var failures = [BuildAtlas.registration.name].compactMap { reports.reason(for: $0) }
    if invocation.home != nil { failures += [Home.taskName].compactMap { reports.reason(for: $0) } }
    var clocks: [Clock] = []
    if failures.isEmpty {
      let answers = await center.answers(to: await queries(), at: options[LaunchInstant.self] ?? 0)
      clocks = answers.clocks
      failures += answers.failures
      if invocation.isJSON { reports += answers.reports }
    }
    await show(clocks, reports)
    return failures
  }

  /// What is asked for; the time at home where nothing is.
  private func queries() async -> [String] {
    guard invocation.queries.isEmpty else { return invocation.queries }
    return [await home()?.name ?? "UTC"]
  }

  private func home() async -> Zone? {
    try? await center.output(named: Home.taskName, as: Zone.self)
  }

  private func show(_ clocks: [Clock], _ reports: [EventReport]) async {
    if invocation.isJSON {
      await console.write(Document(clocks: clocks.map(ClockRecord.init), reports: reports).text)
      return
    }
    let style = (try? await center.output(of: ChooseStyle.self)) ?? .plain
    for line in ClockTable(clocks, home: await home()).lines(style) { await console.write(line) }
    for report in reports { await console.write("\n" + report.table(colored: style.isColored)) }
  }
}

extension [EventReport] {
  /// Why a task did not end well: its own error, or that of the task that kept it from running.
  func reason(for task: TaskName) -> String? {
    guard let report = lazy.compactMap({ $0[task] }).first else { return nil }
    switch report.outcome {
    case .succeeded: return nil
    case .failed(let error): return "\(error)"
    case .skipped(.dependency(let culprit)) where culprit != task:
      return reason(for: culprit) ?? "'\(culprit)' did not end well"
    default: return "'\(task)' \(report.outcome)"
    }
  }
}
