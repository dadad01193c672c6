#if os(Linux)
import CTaskKit
import Foundation

/// The moments at which a descriptor has what `poll` calls priority data, which Dispatch cannot wait for.
///
/// One thread per descriptor sleeps in `poll`, until a byte in its pipe ends it.
enum PriorityWatch {
  /// - Parameter file: closed at the end of the stream, which fails where the kernel tells no more.
  static func events(
    of file: Int32, path: String
  ) throws(EventSourceUnavailable) -> AsyncThrowingStream<Void, any Error> {
    var ends: [Int32] = [-1, -1]
    guard taskkit_pipe(&ends) == 0 else {
      let text = SystemError.text
      close(file)
      throw EventSourceUnavailable("\(path): \(text)")
    }
    let (readEnd, writeEnd) = (ends[0], ends[1])
    let (events, continuation) = AsyncThrowingStream.makeStream(
      of: Void.self, throwing: (any Error).self, bufferingPolicy: .bufferingNewest(1))
    let thread = Thread {
      var files = [
        pollfd(fd: file, events: Int16(POLLPRI), revents: 0), pollfd(fd: readEnd, events: Int16(POLLIN), revents: 0),
      ]
      var failure: EventSourceUnavailable?
      while true {
        let count = poll(&files, nfds_t(files.count), -1)
        if count < 0 {
          if errno == EINTR { continue }
          failure = EventSourceUnavailable("\(path): \(SystemError.text)")
          break
        }
        // The reader has gone.
        if files[1].revents != 0 { break }
        // The group has been removed.
        if Int32(files[0].revents) & POLLERR != 0 {
          failure = EventSourceUnavailable("\(path): the kernel tells nothing of it any more")
          break
        }
        if Int32(files[0].revents) & POLLPRI != 0 { continuation.yield() }
      }
      continuation.finish(throwing: failure)
      close(file)
      close(readEnd)
    }
    thread.name = "org.taskkit.pressure"
    // Closing the other end wakes the thread.
    continuation.onTermination = { _ in close(writeEnd) }
    thread.start()
    return events
  }
}
#endif
