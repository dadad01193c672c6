#if canImport(Network)
import Dispatch
import Network

/// Whether there is a network, and whether it costs by the byte: from the system's path monitor.
public struct NetworkMonitor: ConstraintMonitor {
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
    monitor.start(queue: .global(qos: .utility))
    return stream
  }
}
#elseif os(Linux)
import Foundation
import TaskKit

/// Whether there is a network: an interface besides the loopback that is up, runs, and has an address by which other
/// machines can be reached. The kernel says when that changes (netlink).
///
/// Whether it costs by the byte is unknown on Linux: ``Constraint/unmetered`` does not hold.
public struct NetworkMonitor: ConstraintMonitor {
  public init() {}

  public var constraints: [Constraint] { [.network, .unmetered] }

  public func states() -> AsyncStream<[Constraint: ConstraintState]> {
    // Links, and addresses of both families: RTMGRP_LINK, RTMGRP_IPV4_IFADDR, RTMGRP_IPV6_IFADDR.
    let messages = KernelMessages(family: 0, groups: 0x1 | 0x10 | 0x100)
    return messages.states(label: "TaskKit.network") {
      [
        .network: NetworkInterfaces.isConnected.map { $0 ? .satisfied : .unsatisfied } ?? .unknown,
        .unmetered: .unknown,
      ]
    }
  }
}

enum NetworkInterfaces {
  /// Nil where the kernel does not say.
  static var isConnected: Bool? {
    var first: UnsafeMutablePointer<ifaddrs>?
    guard getifaddrs(&first) == 0 else { return nil }
    defer { freeifaddrs(first) }
    var next = first
    while let interface = next?.pointee {
      if isUsable(flags: interface.ifa_flags), let address = interface.ifa_addr, isRoutable(address) { return true }
      next = interface.ifa_next
    }
    return false
  }

  static func isUsable(flags: UInt32) -> Bool {
    let wanted = UInt32(IFF_UP) | UInt32(IFF_RUNNING)
    return flags & wanted == wanted && flags & UInt32(IFF_LOOPBACK) == 0
  }

  /// Whether an address reaches further than its own link.
  private static func isRoutable(_ address: UnsafeMutablePointer<sockaddr>) -> Bool {
    switch Int32(address.pointee.sa_family) {
    case AF_INET:
      return address.withMemoryRebound(to: sockaddr_in.self, capacity: 1) {
        UInt32(bigEndian: $0.pointee.sin_addr.s_addr) >> 16 != 0xA9FE
      }
    case AF_INET6:
      return address.withMemoryRebound(to: sockaddr_in6.self, capacity: 1) { address in
        withUnsafeBytes(of: address.pointee.sin6_addr) { !($0[0] == 0xFE && $0[1] & 0xC0 == 0x80) }
      }
    default: return false
    }
  }
}
#endif
