import Arguments
import Foundation
import TaskKit
import TaskKitTesting
import Testing
import ZoneData

@testable import WorldClock

/// The watch as a script: its seconds pass when the test says so.
@MainActor
@Suite(.enabled(if: TestDatabase.system != nil, "this machine has no time zone database"))
struct WatchTests {
  private let console = Console(isTerminal: false, isKept: true)
  /// Two seconds before summer time ends in Berlin.
  private let time = VirtualTime(wall: Date(timeIntervalSince1970: 1_792_889_998))

  /// - Returns: what was written from the launch on, without the line about the database.
  private func watch(
    _ arguments: String..., database: String? = nil, doing steps: (LifecycleScript.Step) -> [LifecycleScript.Step]
  ) async throws -> [String] {
    var environment = ["TZ": "Europe/Berlin"]
    environment["TZDIR"] = database
    let invocation = try Invocation(arguments: ["--watch", "--at", "2026-10-25T00:59:58Z"] + arguments)
    let program = Program(arguments: arguments, environment: environment, console: console)
    let center = program.center(invocation, program.registry, time: time.source)
    let launch: LifecycleScript.Step = .steps([
      .launch(program.options(invocation)),
      .call("greetings") { try await $0.lane(.greetings).finished() },
      .call("start") { $0.start() },
    ])
    _ = await LifecycleScript(steps(launch)).run(in: center, time: time)
    return Array(console.output.dropFirst())
  }

  @Test func `it greets in the order of the lane, then shows the clocks each second and tells of a change`()
    async throws
  {
    let lines = try await watch("Europe/Berlin", "Asia/Tokyo") { [$0, .pass(.seconds(3))] }
    #expect(
      lines == [
        "Watching Europe/Berlin, Asia/Tokyo", "Good night, Europe/Berlin", "Good morning, Asia/Tokyo",
        "SIGHUP reads the database again, SIGTERM ends this",
        "Europe/Berlin 02:59:59 CEST  Asia/Tokyo 09:59:59 JST",
        "Europe/Berlin goes from CEST to CET",
        "Europe/Berlin 02:00:00 CET  Asia/Tokyo 10:00:00 JST",
        "Europe/Berlin 02:00:01 CET  Asia/Tokyo 10:00:01 JST",
      ])
  }

  @Test func `reload reads another database, and the next tick is answered from it`() async throws {
    let database = try TestDatabase("Europe/Berlin")
    let file = database.url.appending(path: "Europe/Berlin")
    let tokyo = try #require(TestDatabase.system).bytes(of: "Asia/Tokyo")
    let lines = try await watch("Europe/Berlin", database: database.path) { launch in
      [
        launch, .pass(.seconds(1)),
        .call("another file") { _ in try Data(tokyo).write(to: file) },
        .send(.reload), .pass(.seconds(1)),
      ]
    }
    #expect(
      lines.suffix(4) == [
        "Europe/Berlin 02:59:59 CEST", "database read again: 1 zones", "Europe/Berlin goes from CEST to JST",
        "Europe/Berlin 10:00:00 JST",
      ])
  }

  @Test func `a database that is broken when it is read again is told, and a later reload mends it`() async throws {
    let database = try TestDatabase("Europe/Berlin")
    let (folder, away) = (database.url, database.url.appendingPathExtension("away"))
    let lines = try await watch("Europe/Berlin", database: database.path) { launch in
      [
        launch, .pass(.seconds(1)),
        .call("moved away") { _ in try FileManager.default.moveItem(at: folder, to: away) },
        .send(.reload), .pass(.seconds(1)),
        .call("back") { _ in try FileManager.default.moveItem(at: away, to: folder) },
        .send(.reload), .pass(.seconds(1)),
      ]
    }
    #expect(console.errors.count == 1 && console.errors.allSatisfy { $0.hasPrefix("error: \(database.path)") })
    #expect(lines.suffix(3).last == "Europe/Berlin 02:00:01 CET")
    #expect(!lines.contains("Europe/Berlin 02:00:00 CET"))
  }

  @Test func `a change of the time or its zone says where home is, and forgets what was shown`() async throws {
    let lines = try await watch("Europe/Berlin") { [$0, .pass(.seconds(1)), .timeChange, .pass(.seconds(1))] }
    #expect(
      lines.suffix(3) == [
        "Europe/Berlin 02:59:59 CEST", "the time or its zone has changed; home is Europe/Berlin",
        "Europe/Berlin 02:00:00 CET",
      ])
  }

  @Test func `after a change of the zone home is where the zone file leads to now`() async throws {
    let link = FileManager.default.temporaryDirectory.appending(path: "worldclock-\(UUID().uuidString)").path
    defer { try? FileManager.default.removeItem(atPath: link) }
    try lead(link, to: "Europe/Berlin")
    let lines = try await watch("Europe/Berlin", "--zone-file", link) { launch in
      [
        launch, .timeChange,
        .call("journey") { _ in try lead(link, to: "Asia/Tokyo") },
        .timeChange,
      ]
    }
    #expect(
      lines.filter { $0.hasPrefix("the time or its zone") } == [
        "the time or its zone has changed; home is Europe/Berlin",
        "the time or its zone has changed; home is Asia/Tokyo",
      ])
  }

  @Test func `the shutdown removes the process file before it closes the screen`() async throws {
    let file = FileManager.default.temporaryDirectory.appending(path: "worldclock-\(UUID().uuidString)").path
    let lines = try await watch("UTC", "--pid-file", file) { launch in
      [
        launch,
        .call("number") { _ in
          let number = try String(contentsOfFile: file, encoding: .utf8)
          #expect(number == "\(ProcessInfo.processInfo.processIdentifier)\n")
        },
        .call("shutdown") { center in
          let report = await center.terminate()
          #expect(report.isSuccess)
          #expect(report.stops.map(\.name) == ["WorldClock.WriteProcessFile", "WorldClock.OpenScreen"])
        },
        .pass(.seconds(5)),
      ]
    }
    #expect(lines.last == "screen closed" && !FileManager.default.fileExists(atPath: file))
  }

  @Test(
    arguments: [
      (["Nowhere"], nil, "there is no zone, city or country 'Nowhere'"),
      (["UTC"], "/nonexistent", "/nonexistent: TZDIR names this directory, which does not exist"),
    ] as [([String], String?, String)])
  func `a watch that cannot begin ends by itself`(arguments: [String], database: String?, problem: String) async {
    var environment = ["TZ": "UTC"]
    environment["TZDIR"] = database
    let code = await Program(arguments: ["--watch"] + arguments, environment: environment, console: console).run()
    #expect(code == 1 && console.errors.contains("error: \(problem)"))
  }
}

/// Lets a link lead to the file of a zone.
private nonisolated func lead(_ link: String, to zone: String) throws {
  try? FileManager.default.removeItem(atPath: link)
  try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: "/usr/share/zoneinfo/\(zone)")
}
