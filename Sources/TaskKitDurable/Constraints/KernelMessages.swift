#if os(Linux)
import Foundation
import TaskKit

/// What the kernel tells of by netlink: a wake-up for each message; what has changed is looked up elsewhere.
struct KernelMessages: Sendable {
  /// Gives a socket that can be read when there is something to hear, and passes it on; nil where there is none.
  let open: @Sendable () -> Int32?

  init(open: @escaping @Sendable () -> Int32?) { self.open = open }

  /// - Parameter family: 0 for routes, links and addresses; 15 for devices.
  init(family: Int32, groups: UInt32) {
    self.init { Self.listen(family: family, groups: groups) }
  }

  /// A state at once, and again whenever the kernel has something to say. Where it cannot be asked, the state at the
  /// beginning is all there is.
  func states(
    label: String, _ state: @escaping @Sendable () -> [Constraint: ConstraintState]
  ) -> AsyncStream<[Constraint: ConstraintState]> {
    let (stream, continuation) = AsyncStream.makeStream(
      of: [Constraint: ConstraintState].self, bufferingPolicy: .bufferingNewest(1))
    // Listens before it looks, so that nothing is missed in between.
    let source = open().map { file in
      DescriptorSource(file, label: label) {
        Self.drain(file)
        continuation.yield(state())
      }
    }
    continuation.onTermination = { _ in source?.cancel() }
    continuation.yield(state())
    return stream
  }

  private static func listen(family: Int32, groups: UInt32) -> Int32? {
    let file = socket(AF_NETLINK, Int32(SOCK_RAW.rawValue) | O_CLOEXEC | O_NONBLOCK, family)
    guard file >= 0 else { return nil }
    // struct sockaddr_nl, which the C library does not declare: family, padding, port, groups.
    var address: (UInt16, UInt16, UInt32, UInt32) = (UInt16(AF_NETLINK), 0, 0, groups)
    let bound = withUnsafePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { bind(file, $0, socklen_t(12)) }
    }
    guard bound == 0 else {
      close(file)
      return nil
    }
    return file
  }

  private static func drain(_ file: Int32) {
    withUnsafeTemporaryAllocation(byteCount: 8192, alignment: 8) { buffer in
      while recv(file, buffer.baseAddress, buffer.count, Int32(MSG_DONTWAIT)) > 0 {}
    }
  }
}
#endif
