import Arguments
import Foundation
import Presentation
import TaskKit
import TaskKitDurable
import ZoneData
import ZoneIndex

/// One run of the program: the moments of its life, one after the other.
struct Program {
  let arguments: [String]
  let environment: [String: String]
  let console: Console
  var postman = Postman.http
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

    let failures: [String]
    do {
      if let outbox = invocation.outbox {
        failures = try await post(invocation, .sqlite(at: URL(filePath: outbox)))
      } else {
        failures = try await invocation.isWatching ? watch(invocation) : show(invocation)
      }
    } catch {
      failures = ["\(error)"]
    }
    for failure in failures { await console.writeError("error: \(failure)") }
    return failures.isEmpty ? 0 : 1
  }

  /// Shows the clocks once, and sends the events of that short life itself.
  private func show(_ invocation: Invocation) async throws -> [String] {
    // Everything that belongs to watching goes with the task that it all depends on.
    let center = center(invocation, try registry.excluding(OpenScreen.self, dependents: .include))
    let failures: [String]
    do {
      failures = try await Session(
        center: center, invocation: invocation, options: options(invocation), console: console
      ).run()
    } catch {
      failures = ["\(error)"]
    }
    await center.send(.willTerminate)
    return failures
  }

  /// Gives the process to the center, until a signal ends it.
  private func watch(_ invocation: Invocation) async -> [String] {
    let center = center(invocation, registry)
    let report = await center.run(
      sources: [.signals, .clockChanges(zoneFile: invocation.zoneFile ?? "/etc/localtime")],
      options: options(invocation), shutdownDeadline: .seconds(5))
    await console.write("\(report)")
    let problem = [BuildAtlas.registration.name, OpenScreen.registration.name].lazy
      .compactMap { report.launch.reason(for: $0) }.first
    return [problem, report.shutdown.isSuccess ? nil : "the shutdown did not end well"].compactMap { $0 }
  }

  /// Puts digests into the outbox, and gives the process to the center until all that are in it have arrived.
  private func post(_ invocation: Invocation, _ store: DurableStore) async throws -> [String] {
    let center = try outbox(invocation, store)
    let events = center.jobs.events()
    // Whoever cannot have the outbox hears of that at once. Later on it would be tried again and again.
    try await center.jobs.open()
    // When this returns they are promised: the program may die at any moment.
    let ids = try await center.enqueue(digests(invocation))
    if !ids.isEmpty { await console.write("digests put into the outbox: \(ids.count)") }
    let undelivered = Notices()
    let report = await center.run(
      sources: [.signals, .outboxEvents(events, to: console), .emptyOutbox { undelivered.add($0) }],
      options: options(invocation), ifLaunchFails: .shutDown, shutdownDeadline: .seconds(5))
    await console.write("\(report.shutdown)")
    let problem = report.launch.reason(for: BuildAtlas.registration.name)
    return [problem].compactMap { $0 } + undelivered.all
  }

  func outbox(_ invocation: Invocation, _ store: DurableStore, time: TimeSource = .system) throws -> TaskCenter {
    let center = try TaskCenter(
      registry: try registry.excluding(OpenScreen.self, dependents: .include), time: time, stores: [store],
      jobs: JobConfiguration(queues: ["outbox": QueueOptions(workers: 3)]))
    center[Postman.self] = postman
    share(invocation, with: center)
    return center
  }

  /// The digests that are asked for, an hour apart.
  func digests(_ invocation: Invocation) -> [Digest] {
    guard let destination = invocation.destination else { return [] }
    let queries = invocation.queries.isEmpty ? ["UTC"] : invocation.queries
    let first = invocation.instant ?? Int64(Date().timeIntervalSince1970)
    return (0..<invocation.digests).map {
      Digest(queries: queries, instant: first + Int64($0) * 3600, destination: destination)
    }
  }

  /// - Parameter time: the clocks; the machine's when omitted, with a calendar that goes on from the time that was asked for.
  func center(_ invocation: Invocation, _ registry: TaskRegistry, time: TimeSource? = nil) -> TaskCenter {
    let shift = invocation.instant.map { TimeInterval($0) - Date().timeIntervalSince1970 } ?? 0
    let center = TaskCenter(registry: registry, time: time ?? TimeSource(wall: { Date().addingTimeInterval(shift) }))
    share(invocation, with: center)
    return center
  }

  private func share(_ invocation: Invocation, with center: TaskCenter) {
    center[Console.self] = console
    center[Notices.self] = Notices()
    center[Invocation.self] = invocation
  }

  /// What the launch tasks get to know.
  func options(_ invocation: Invocation) -> LaunchOptions {
    var options = LaunchOptions(arguments: arguments, environment: environment)
    options[Invocation.self] = invocation
    options[LaunchInstant.self] = invocation.instant ?? Int64(Date().timeIntervalSince1970)
    options[TerminalKey.self] = console.isTerminal
    return options
  }
}
