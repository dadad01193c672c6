import Foundation

/// Takes connections on a port of 127.0.0.1, and never says anything.
final class SilentPort: Sendable {
  let number: UInt16
  private let listener: Int32

  init() {
    #if canImport(Darwin)
    let file = socket(AF_INET, SOCK_STREAM, 0)
    #else
    let file = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    #endif
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
    var size = socklen_t(MemoryLayout<sockaddr_in>.size)
    withUnsafeMutablePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { pointer in
        bind(file, pointer, size)
        // The system takes them, since nobody does.
        listen(file, 8)
        // Which one the system has chosen.
        getsockname(file, pointer, &size)
        return
      }
    }
    listener = file
    number = UInt16(bigEndian: address.sin_port)
  }

  func end() { close(listener) }
}
