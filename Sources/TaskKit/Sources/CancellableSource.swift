#if !os(Windows)
package import Dispatch

/// A source of Dispatch, to be cancelled from anywhere.
// Dispatch lets sources be cancelled from any thread; not every system declares them so.
package struct CancellableSource: @unchecked Sendable {
  private let source: any DispatchSourceProtocol

  package init(_ source: any DispatchSourceProtocol) { self.source = source }

  package func cancel() { source.cancel() }
}
#endif
