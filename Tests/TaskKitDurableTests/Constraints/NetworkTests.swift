#if os(Linux)
import Foundation
import Synchronization
@testable import TaskKitDurable
import Testing

/// What the kernel's tables say about a way to other networks, and that it is looked at again when the kernel says so.
@Suite struct NetworkTests {
  private static let head = "Iface\tDestination\tGateway \tFlags\tRefCnt\tUse\tMetric\tMask\t\tMTU\tWindow\tIRTT\n"
  private static let wired = "eth0\t00000000\t010200C0\t0003\t0\t0\t100\t00000000\t0\t0\t0  \n"
  private static let wiredNet = "eth0\t000200C0\t00000000\t0001\t0\t0\t100\t00FFFFFF\t0\t0\t0  \n"
  private static let bridge = "docker0\t000011AC\t00000000\t0001\t0\t0\t0\t0000FFFF\t0\t0\t0  \n"
  private static let tunnel = "tun0\t00000000\t00000000\t0001\t0\t0\t50\t00000000\t0\t0\t0  \n"
  private static let down = "eth0\t00000000\t010200C0\t0002\t0\t0\t100\t00000000\t0\t0\t0  \n"
  private static let refused = "*\t00000000\t00000000\t0201\t0\t0\t100\t00000000\t0\t0\t0  \n"
  private static let half = "tun0\t00000000\t0A00000A\t0003\t0\t0\t0\t00000080\t0\t0\t0  \n"
  private static let zeros = String(repeating: "0", count: 32)
  private static let wired6 =
    "\(zeros) 00 \(zeros) 00 fd000000000000000000000000000001 00000400 1 0 00000003     eth0\n"
  private static let none6 = "\(zeros) 00 \(zeros) 00 \(zeros) ffffffff 1 0 00200200       lo\n"
  private static let local6 = "fe80\(zeros.dropFirst(4)) 40 \(zeros) 00 \(zeros) 00000100 1 0 00000001     eth0\n"

  struct Case: Sendable, CustomTestStringConvertible {
    let testDescription: String
    var ipv4: String?
    var ipv6: String?
    var interfaces: Set<String>? = ["lo", "eth0", "docker0", "tun0"]
    /// Over which the routes lead that have several ways.
    var others: Set<String> = []
    let isConnected: Bool?
  }

  static let cases = [
    Case(testDescription: "a default route", ipv4: head + wired + wiredNet, isConnected: true),
    Case(testDescription: "one of IPv6", ipv4: head, ipv6: local6 + wired6 + none6, isConnected: true),
    Case(testDescription: "one through a tunnel", ipv4: head + tunnel, isConnected: true),
    Case(testDescription: "no route at all", ipv4: head, ipv6: "", isConnected: false),
    Case(testDescription: "a bridge of containers", ipv4: head + bridge, ipv6: local6 + none6, isConnected: false),
    Case(testDescription: "a network without a way out", ipv4: head + wiredNet, isConnected: false),
    Case(
      testDescription: "an interface without a cable", ipv4: head + wired, interfaces: ["lo", "docker0"],
      isConnected: false),
    Case(
      testDescription: "a route with another way", ipv4: head + wired, interfaces: ["lo", "eth1"],
      others: ["eth0", "eth1"], isConnected: true),
    Case(
      testDescription: "a route with another way without a cable", ipv4: head + wired, interfaces: ["lo", "docker0"],
      others: ["eth0", "eth1"], isConnected: false),
    Case(testDescription: "a route that is down", ipv4: head + down, isConnected: false),
    Case(testDescription: "a route that refuses", ipv4: head + refused, ipv6: none6, isConnected: false),
    Case(testDescription: "a route to half of all", ipv4: head + half, isConnected: false),
    Case(testDescription: "a kernel without IPv6", ipv4: head + wired, ipv6: nil, isConnected: true),
    Case(testDescription: "a kernel that says nothing", ipv4: nil, ipv6: nil, isConnected: nil),
    Case(testDescription: "a kernel that hides its interfaces", ipv4: head + wired, interfaces: nil, isConnected: nil),
    Case(testDescription: "something else", ipv4: "not\na table\n", ipv6: "\u{1F4A5}", isConnected: false),
  ]

  private func tables(
    _ ipv4: String?, _ ipv6: String?, in folder: URL, _ interfaces: Set<String>?, others: Set<String> = []
  ) throws -> RouteTables {
    let files = [folder.appending(path: "route"), folder.appending(path: "ipv6_route")]
    for (file, text) in zip(files, [ipv4, ipv6]) { try text.map { try Data($0.utf8).write(to: file) } }
    return RouteTables(
      ipv4: files[0].path, ipv6: files[1].path, interfaces: { interfaces }, others: { others })
  }

  private func withFolder<Value>(_ body: (URL) async throws -> Value) async throws -> Value {
    let folder = FileManager.default.temporaryDirectory.appending(path: "routes-\(UUID())")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    return try await body(folder)
  }

  @Test(arguments: cases)
  func `a network is a way out of one's own`(_ row: Case) async throws {
    try await withFolder { folder in
      let tables = try tables(row.ipv4, row.ipv6, in: folder, row.interfaces, others: row.others)
      #expect(tables.leadOut == row.isConnected)
    }
  }

  @Test func `each message of the kernel leads to another look`() async throws {
    try await withFolder { folder in
      var ends: [Int32] = [-1, -1]
      let isMade = socketpair(AF_UNIX, Int32(SOCK_DGRAM.rawValue), 0, &ends)
      #expect(isMade == 0)
      let (ours, theirs) = (ends[0], ends[1])
      defer { close(ours) }
      func say() { _ = send(ours, "x", 1, 0) }
      let tables = try tables(Self.head + Self.bridge, nil, in: folder, ["lo", "eth0", "docker0"])
      let monitor = NetworkMonitor(tables: tables, messages: KernelMessages { theirs })
      var states = monitor.states().makeAsyncIterator()
      #expect(await states.next() == [.network: .unsatisfied, .unmetered: .unknown])
      for (text, expected) in [(Self.wired, ConstraintState.satisfied), ("", .unsatisfied), (Self.wired, .satisfied)] {
        try Data((Self.head + text).utf8).write(to: URL(filePath: tables.ipv4), options: .atomic)
        say()
        #expect(await states.next() == [.network: expected, .unmetered: .unknown])
      }
    }
  }

  @Test func `the tables of this machine can be read`() {
    #expect(RouteTables().leadOut != nil)
    #expect(RouteTables().interfaces()?.contains("lo") == true)
  }
}
#endif
