#if TASKKIT_STAND_INS || canImport(Network)
import Dispatch
#if TASKKIT_STAND_INS
public import TaskKitDurable
#else
import Network
#endif

/// Whether there is a network, and whether it costs by the byte: from the system's path monitor.
public struct NetworkMonitor: ConstraintMonitor {
  /// The machine's own network.
  public init() {}

  public var constraints: [Constraint] { [.network, .unmetered] }

  public func states() -> AsyncStream<[Constraint: ConstraintState]> {
    let (stream, continuation) = AsyncStream.makeStream(of: [Constraint: ConstraintState].self)
    let monitor = NWPathMonitor()
    monitor.pathUpdateHandler = { path in
      let isThere = path.status == .satisfied
      continuation.yield([
        .network: isThere ? .satisfied : .unsatisfied,
        .unmetered: isThere && !path.isExpensive && !path.isConstrained ? .satisfied : .unsatisfied,
      ])
    }
    continuation.onTermination = { _ in monitor.cancel() }
    // A queue of its own, on which one path comes after the other.
    monitor.start(queue: DispatchQueue(label: "TaskKit.network", qos: .utility))
    return stream
  }
}
#elseif os(Linux)
import Foundation
import TaskKit

/// Whether there is a way to other networks: a default route of IPv4 or IPv6 over an interface that is up and runs, of several such
/// interfaces over one of them. The kernel says when that changes (netlink).
///
/// Bridges and tunnels of containers have addresses and no such route: they are no network. Nor is a network of which no way
/// leads out; who needs only that watches it with a monitor of his own.
///
/// Whether it costs by the byte is unknown on Linux: ``Constraint/unmetered`` does not hold.
public struct NetworkMonitor: ConstraintMonitor {
  let tables: RouteTables
  let messages: KernelMessages

  /// The machine's own network, which the kernel is asked about.
  public init() {
    // Links, and addresses and routes of both families: RTMGRP_LINK, RTMGRP_IPV4_IFADDR, RTMGRP_IPV4_ROUTE,
    // RTMGRP_IPV6_IFADDR, RTMGRP_IPV6_ROUTE; and what routes may share, RTNLGRP_NEXTHOP, which older kernels do not know.
    self.init(
      tables: RouteTables(),
      messages: KernelMessages(family: 0, groups: 0x1 | 0x10 | 0x40 | 0x100 | 0x400 | 0x8000_0000))
  }

  init(tables: RouteTables, messages: KernelMessages) {
    self.tables = tables
    self.messages = messages
  }

  public var constraints: [Constraint] { [.network, .unmetered] }

  public func states() -> AsyncStream<[Constraint: ConstraintState]> {
    messages.states(label: "TaskKit.network") { [tables] in
      [
        .network: tables.leadOut.map { $0 ? .satisfied : .unsatisfied } ?? .unknown,
        .unmetered: .unknown,
      ]
    }
  }
}

/// The kernel's routes, and the interfaces that they go over.
struct RouteTables: Sendable {
  var ipv4 = "/proc/net/route"
  var ipv6 = "/proc/net/ipv6_route"
  /// The names of the interfaces that are up and run; nil where the kernel does not say.
  var interfaces: @Sendable () -> Set<String>? = { RouteTables.runningInterfaces }
  /// The names of those over which routes to everywhere lead that have several ways.
  var others: @Sendable () -> Set<String> = { DefaultRoutes.interfaces }

  /// Whether a way leads out of this machine's networks; nil where the kernel does not say.
  var leadOut: Bool? {
    let tables = [ipv4, ipv6].map { try? String(contentsOfFile: $0, encoding: .utf8) }
    guard tables.contains(where: { $0 != nil }), let running = interfaces() else { return nil }
    let names = (tables[0].map(Self.defaultsOfIPv4) ?? []) + (tables[1].map(Self.defaultsOfIPv6) ?? [])
    func leadsOut(_ name: String) -> Bool { name != "lo" && running.contains(name) }
    // There may be other ways than the first one of a route, of which the tables do not speak.
    return names.contains(where: leadsOut) || !names.isEmpty && others().contains(where: leadsOut)
  }

  /// RTF_UP, and not RTF_REJECT.
  private static func isUsable(_ flags: Substring) -> Bool {
    UInt32(flags, radix: 16).map { $0 & 0x1 != 0 && $0 & 0x200 == 0 } ?? false
  }

  /// The interfaces of the routes to everywhere: `Iface Destination Gateway Flags RefCnt Use Metric Mask …`.
  static func defaultsOfIPv4(_ table: String) -> [String] {
    table.split(separator: "\n").compactMap { line in
      let fields = line.split(whereSeparator: \.isWhitespace)
      guard fields.count >= 8, UInt32(fields[1], radix: 16) == 0, UInt32(fields[7], radix: 16) == 0,
        isUsable(fields[3])
      else { return nil }
      return String(fields[0])
    }
  }

  /// The same: `destination length source length gateway metric references uses flags interface`.
  static func defaultsOfIPv6(_ table: String) -> [String] {
    table.split(separator: "\n").compactMap { line in
      let fields = line.split(whereSeparator: \.isWhitespace)
      guard fields.count == 10, fields[0].allSatisfy({ $0 == "0" }), UInt8(fields[1], radix: 16) == 0,
        isUsable(fields[8])
      else { return nil }
      return String(fields[9])
    }
  }

  private static var runningInterfaces: Set<String>? {
    var first: UnsafeMutablePointer<ifaddrs>?
    guard getifaddrs(&first) == 0 else { return nil }
    defer { freeifaddrs(first) }
    let wanted = UInt32(IFF_UP) | UInt32(IFF_RUNNING)
    var names: Set<String> = []
    var next = first
    while let interface = next?.pointee {
      if interface.ifa_flags & wanted == wanted { names.insert(String(cString: interface.ifa_name)) }
      next = interface.ifa_next
    }
    return names
  }
}
#endif
