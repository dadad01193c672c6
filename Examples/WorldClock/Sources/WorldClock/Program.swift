import Arguments
import Foundation
import Presentation
import TaskKit
import ZoneData
import ZoneIndex

/// One run of the program: the moments of its life, one after the other.
struct Program {
  let arguments: [String]
  let environment: [String: String]
  let console: Console
  var registry = TaskRegistry.generated

  /// - Returns: the exit code: 0, 1 where something was not found or is broken, 2 for a wrong command line.
  func run() async -> Int32 {
    let invocation: Invocation
    do {
      invocation = try Invocation(arguments: arguments)
    } catch {
      await console.writeError("error: \(error)")
      return 2
    }
    guard !invocation.isHelp else {
      await console.write(Invocation.usage)
      return 0
    }

    let center = TaskCenter(registry: registry)
    center[Console.self] = console
    center[Notices.self] = Notices()
    center[Invocation.self] = invocation
    let failures: [String]
    do {
      let options = options(invocation)
      failures = try await Session(center: center, invocation: invocation, options: options, console: console).run()
    } catch {
      failures = ["\(error)"]
    }
    await center.send(.willTerminate)
    for failure in failures { await console.writeError("error: \(failure)") }
    return failures.isEmpty ? 0 : 1
  }

  /// What the launch tasks get to know.
  private func options(_ invocation: Invocation) -> LaunchOptions {
    var options = LaunchOptions(arguments: arguments, environment: environment)
    options[Invocation.self] = invocation
    options[LaunchInstant.self] = invocation.instant ?? Int64(Date().timeIntervalSince1970)
    options[TerminalKey.self] = console.isTerminal
    return options
  }
}
