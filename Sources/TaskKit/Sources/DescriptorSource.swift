#if !os(Windows)
import Dispatch
import Foundation

/// Calls when a descriptor can be read, on a queue of its own.
package final class DescriptorSource: Sendable {
  private let source: CancellableSource

  /// - Parameters:
  ///   - file: closed when the source has been cancelled.
  ///   - label: the queue's.
  package init(_ file: Int32, label: String, _ read: @escaping @Sendable () -> Void) {
    let source = DispatchSource.makeReadSource(fileDescriptor: file, queue: DispatchQueue(label: label))
    self.source = CancellableSource(source)
    source.setEventHandler(handler: read)
    source.setCancelHandler { close(file) }
    source.activate()
  }

  package func cancel() { source.cancel() }

  /// The moments at which a descriptor can be read.
  ///
  /// - Parameter take: reads what is there, and says whether it is an event.
  static func events(
    of file: Int32, label: String, _ take: @escaping @Sendable () -> Bool
  ) -> AsyncStream<Void> {
    let (events, continuation) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
    let source = DescriptorSource(file, label: label) { if take() { continuation.yield() } }
    continuation.onTermination = { _ in source.cancel() }
    return events
  }
}
#endif
