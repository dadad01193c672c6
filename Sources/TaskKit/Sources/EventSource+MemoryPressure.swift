import Dispatch

extension EventSource {
  /// Sends ``LifecycleEvent/didReceiveMemoryWarning`` when memory is short.
  ///
  /// Linux: the kernel's pressure stall information, of the machine (`/proc/pressure/memory`), or else of the process's own
  /// control group (`memory.pressure`): tasks have waited 150 ms of two seconds for memory, which is the shortest window
  /// that needs no privilege. Or else the counters of the control group's limits (`memory.events`). Apple: the system's
  /// memory pressure, warning or critical. No thread polls; the kernel tells it at most once per window.
  ///
  /// Where there is none of these, the source is unavailable, and its report says what was tried. It becomes so where the
  /// control group that it listens to is removed, after the process was moved to another one, or its counters cannot be read.
  public nonisolated static var memoryPressure: EventSource { .memoryPressure(root: "/") }

  /// - Parameter root: where the file system begins.
  nonisolated static func memoryPressure(root: String) -> EventSource {
    EventSource("memoryPressure") { sink in
      #if canImport(Darwin)
      let (warnings, continuation) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
      let source = DispatchSource.makeMemoryPressureSource(
        eventMask: [.warning, .critical], queue: DispatchQueue(label: "org.taskkit.memory-pressure"))
      source.setEventHandler { continuation.yield() }
      let cancellable = CancellableSource(source)
      continuation.onTermination = { _ in cancellable.cancel() }
      source.activate()
      return { for await _ in warnings { await sink.send(.didReceiveMemoryWarning) } }
      #elseif os(Linux)
      let warnings = try MemoryPressure.open(root: root) { sink.note($0) }
      return { for try await _ in warnings { await sink.send(.didReceiveMemoryWarning) } }
      #else
      throw EventSourceUnavailable("memory pressure is not known on this system")
      #endif
    }
  }
}
