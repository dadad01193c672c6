#if os(Linux) && Durable
import Foundation
import ProcessTesting
import Testing

/// What the kernel's own sockets tell of a network that changes: a process in a network namespace of its own, of which nobody
/// else takes notice.
@Suite(.serialized) struct NetworkNamespaceTests {
  private static let veth = "link add taskkit0 type veth peer name taskkit1"
  /// Where `ip` may be beside the usual places.
  private static let path = (ProcessInfo.processInfo.environment["PATH"] ?? "") + ":/usr/sbin:/sbin"

  /// What lets a program run where it may change a network of its own; nil where the system lets nobody.
  static let wrapper: [String]? = ["-Urn", "-n"].lazy.map { ["/usr/bin/unshare", $0] }.first { wrapper in
    let process = Process()
    process.executableURL = URL(filePath: wrapper[0])
    process.arguments = [wrapper[1], "ip"] + veth.split(separator: " ").map(String.init)
    process.environment = ["PATH": path]
    (process.standardOutput, process.standardError) = (FileHandle.nullDevice, FileHandle.nullDevice)
    // There is no such program: as good as one that may not.
    guard (try? process.run()) != nil else { return false }
    process.waitUntilExit()
    return process.terminationStatus == 0
  }

  /// Tells of each change that a process hears of when it lets `ip` do some things after each that came before.
  private func changes(_ commands: [[String]]) async throws -> [String] {
    let fixture = try SQLiteFixture()
    let history = fixture.folder.appending(path: "history")
    let wrapper = try #require(Self.wrapper)
    let environment = [
      "PROBE_MODE": "watch", "PROBE_HISTORY": history.path, "PATH": Self.path,
      "PROBE_COMMANDS": commands.map { $0.joined(separator: ";") }.joined(separator: "\n"),
    ]
    let end = try await onThread { try ProbeProcess(run: "watch", through: wrapper, environment).end() }
    let lines = try String(contentsOf: history, encoding: .utf8).split(separator: "\n")
    // It ends itself after a while if it hears of nothing.
    #expect(end == .exit(0), "\(lines)")
    return lines.map { $0.split(separator: " ").dropFirst().joined(separator: " ") }
  }

  @Test(.enabled(if: wrapper != nil, "the system lets this process make no network namespace, or has no 'ip'"))
  func `links and routes that come and go are heard of from the kernel`() async throws {
    let changes = try await changes([
      // A link with an address and a way out.
      [
        Self.veth, "addr add 192.0.2.1/24 dev taskkit0", "link set taskkit0 up", "link set taskkit1 up",
        "route add default via 192.0.2.2",
      ],
      // The cable is pulled, and put back: of that only the link tells.
      ["link set taskkit1 down"], ["link set taskkit1 up"],
      // Only the route.
      ["route del default"], ["route add default via 192.0.2.2"],
      // All at once.
      ["link del taskkit0"],
    ])
    let network = changes.filter { $0.hasPrefix("network") }
    #expect(
      network == [
        "network unsatisfied", "network satisfied", "network unsatisfied", "network satisfied", "network unsatisfied",
        "network satisfied", "network unsatisfied",
      ])
  }

  @Test(
    .enabled(if: wrapper != nil, "the system lets this process make no network namespace, or has no 'ip'"),
    arguments: [["", "192.0.2.2", "198.51.100.2"], ["-6 ", "fe80::1", "fe80::2"]].filter { family in
      family[0].isEmpty || FileManager.default.fileExists(atPath: "/proc/net/ipv6_route")
    })
  func `a route of several ways is one as long as any of them has a cable`(way: [String]) async throws {
    let changes = try await changes([
      // The first one has none from the beginning.
      [
        Self.veth, "link add taskkit2 type veth peer name taskkit3", "addr add 192.0.2.1/24 dev taskkit0",
        "addr add 198.51.100.1/24 dev taskkit2", "link set taskkit0 up", "link set taskkit2 up", "link set taskkit3 up",
        "\(way[0])route add default nexthop via \(way[1]) dev taskkit0 nexthop via \(way[2]) dev taskkit2",
      ], ["link set taskkit3 down"],
    ])
    #expect(
      changes.filter { $0.hasPrefix("network") } == [
        "network unsatisfied", "network satisfied", "network unsatisfied",
      ])
  }

  @Test(
    .enabled(if: wrapper != nil, "the system lets this process make no network namespace, or has no 'ip'"),
    .enabled(if: FileManager.default.fileExists(atPath: "/proc/net/ipv6_route"), "the system has no IPv6"))
  func `a way out over IPv6 alone is heard of from the kernel`() async throws {
    let changes = try await changes([
      [
        Self.veth, "link set taskkit0 up", "link set taskkit1 up", "-6 route add default via fe80::1 dev taskkit0",
      ], ["-6 route del default"],
    ])
    #expect(
      changes.filter { $0.hasPrefix("network") } == [
        "network unsatisfied", "network satisfied", "network unsatisfied",
      ])
  }

  @Test(.enabled(if: wrapper != nil, "the system lets this process make no network namespace, or has no 'ip'"))
  func `a device that changes lets the power be looked at again`() async throws {
    // A link is a device, of which only its own namespace hears. The power supplies are what they were.
    let changes = try await changes([
      [
        Self.veth, "addr add 192.0.2.1/24 dev taskkit0", "link set taskkit0 up", "link set taskkit1 up",
        "route add default via 192.0.2.2",
      ]
    ])
    let power = changes.filter { $0.hasPrefix("power") }
    #expect(power.count == 2, "\(changes)")
    #expect(Set(power).count == 1)
  }
}
#endif
