#if os(Linux)
import Foundation

/// The ways that the routes to everywhere have, as the kernel lists them by netlink: where one route has several, the tables in
/// `/proc` may name the first one alone.
enum DefaultRoutes {
  /// The names of the interfaces over which they lead; none where the kernel does not say.
  static var interfaces: Set<String> {
    let file = socket(AF_NETLINK, Int32(SOCK_RAW.rawValue) | O_CLOEXEC, 0)
    guard file >= 0 else { return [] }
    defer { close(file) }
    // It answers at once, and this thread is to wait for nobody who does not.
    var patience = timeval(tv_sec: 1, tv_usec: 0)
    setsockopt(file, SOL_SOCKET, SO_RCVTIMEO, &patience, socklen_t(MemoryLayout<timeval>.size))
    guard ask(file) else { return [] }
    var found: Set<Int32> = []
    let isWhole = withUnsafeTemporaryAllocation(byteCount: 65_536, alignment: 8) { buffer in
      while true {
        let count = recv(file, buffer.baseAddress, buffer.count, 0)
        guard count > 0 else { return false }
        guard let goesOn = read(UnsafeRawBufferPointer(rebasing: buffer[..<count]), into: &found) else { return false }
        if !goesOn { return true }
      }
    }
    return isWhole ? Set(found.compactMap(name)) : []
  }

  /// Asks for all routes of all families: RTM_GETROUTE, as a request (NLM_F_REQUEST) for all there are (NLM_F_DUMP). None of that,
  /// nor what is behind it, is declared by the C library.
  private static func ask(_ file: Int32) -> Bool {
    // struct nlmsghdr: length, type, flags, number, sender. Then struct rtmsg, which asks for nothing in particular.
    var request: (UInt32, UInt16, UInt16, UInt32, UInt32, UInt32, UInt32, UInt32) = (28, 26, 0x301, 1, 0, 0, 0, 0)
    return withUnsafeBytes(of: &request) { send(file, $0.baseAddress, $0.count, 0) == $0.count }
  }

  /// Reads some messages of an answer.
  ///
  /// - Returns: whether more of them come; nil where the kernel refuses to say.
  static func read(_ messages: UnsafeRawBufferPointer, into found: inout Set<Int32>) -> Bool? {
    var rest = messages[...]
    while rest.count >= 16 {
      let message = UnsafeRawBufferPointer(rebasing: rest)
      let length = Int(message.loadUnaligned(as: UInt32.self))
      guard length >= 16, length <= message.count else { return nil }
      switch message.loadUnaligned(fromByteOffset: 4, as: UInt16.self) {
      case 2: return nil  // NLMSG_ERROR
      case 3: return false  // NLMSG_DONE
      case 24: readRoute(UnsafeRawBufferPointer(rebasing: message[16..<length]), into: &found)  // RTM_NEWROUTE
      default: break
      }
      rest = rest.dropFirst(aligned(length))
    }
    return true
  }

  /// Reads a struct rtmsg: family, length of the destination, of the source, service, table, origin, scope, type, flags; then
  /// attributes.
  private static func readRoute(_ route: UnsafeRawBufferPointer, into found: inout Set<Int32>) {
    guard route.count >= 12, [UInt8(AF_INET), UInt8(AF_INET6)].contains(route[0]), route[1] == 0,
      // RT_TABLE_MAIN, RTN_UNICAST.
      route[4] == 254, route[7] == 1
    else { return }
    let isUsable = isUsable(UInt8(truncatingIfNeeded: route.loadUnaligned(fromByteOffset: 8, as: UInt32.self)))
    // struct rtattr: length, type.
    forEachPart(of: route[12...], head: 4) { part in
      switch part.loadUnaligned(fromByteOffset: 2, as: UInt16.self) & 0x3FFF {
      // RTA_OIF, RTA_MULTIPATH.
      case 4 where isUsable && part.count >= 8: found.insert(part.loadUnaligned(fromByteOffset: 4, as: Int32.self))
      case 9: readHops(part[4...], into: &found)
      default: break
      }
    }
  }

  /// Reads structs rtnexthop: length, flags, weight, interface.
  private static func readHops(_ hops: Slice<UnsafeRawBufferPointer>, into found: inout Set<Int32>) {
    forEachPart(of: hops, head: 8) { hop in
      if isUsable(hop[2]) { found.insert(hop.loadUnaligned(fromByteOffset: 4, as: Int32.self)) }
    }
  }

  /// Neither RTNH_F_DEAD nor RTNH_F_LINKDOWN.
  private static func isUsable(_ flags: UInt8) -> Bool { flags & 0x11 == 0 }

  /// - Parameter head: how long each part is at least, which begins with its length in two bytes.
  private static func forEachPart(
    of bytes: Slice<UnsafeRawBufferPointer>, head: Int, _ body: (UnsafeRawBufferPointer) -> Void
  ) {
    var rest = bytes
    while rest.count >= head {
      let part = UnsafeRawBufferPointer(rebasing: rest)
      let length = Int(part.loadUnaligned(as: UInt16.self))
      guard length >= head, length <= part.count else { return }
      body(UnsafeRawBufferPointer(rebasing: part[..<length]))
      rest = rest.dropFirst(aligned(length))
    }
  }

  /// Everything begins at a multiple of four.
  private static func aligned(_ length: Int) -> Int { (length + 3) & ~3 }

  private static func name(of index: Int32) -> String? {
    withUnsafeTemporaryAllocation(of: CChar.self, capacity: Int(IF_NAMESIZE)) { buffer in
      guard let name = buffer.baseAddress, if_indextoname(UInt32(bitPattern: index), name) != nil else { return nil }
      return String(cString: name)
    }
  }
}
#endif
