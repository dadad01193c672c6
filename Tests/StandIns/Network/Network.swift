public import Dispatch
import Synchronization

// Stands in for Network where there is none: names and types as Apple publishes them, as far as the monitor goes.

public struct NWPath: Equatable, Sendable {
  public enum Status: Sendable { case satisfied, unsatisfied, requiresConnection }

  public let status: Status
  public let isExpensive: Bool
  public let isConstrained: Bool

  /// The system alone makes them.
  public init(_ status: Status, isExpensive: Bool = false, isConstrained: Bool = false) {
    (self.status, self.isExpensive, self.isConstrained) = (status, isExpensive, isConstrained)
  }
}

public final class NWPathMonitor: Sendable {
  private struct Machine {
    var path = NWPath(.unsatisfied)
    var monitors: [(monitor: NWPathMonitor, queue: DispatchQueue)] = []
  }

  private static let machine = Mutex(Machine())
  private let handler = Mutex<(@Sendable (NWPath) -> Void)?>(nil)

  public init() {}

  public var pathUpdateHandler: (@Sendable (NWPath) -> Void)? {
    get { handler.withLock { $0 } }
    set { handler.withLock { $0 = newValue } }
  }

  /// Tells of the path as it is, and from then on of each other one.
  public func start(queue: DispatchQueue) {
    Self.machine.withLock { machine in
      machine.monitors.append((self, queue))
      tell(machine.path, on: queue)
    }
  }

  public func cancel() { Self.machine.withLock { machine in machine.monitors.removeAll { $0.monitor === self } } }

  private func tell(_ path: NWPath, on queue: DispatchQueue) { queue.async { self.pathUpdateHandler?(path) } }

  /// What happens to the machine.
  public static func change(to path: NWPath) {
    machine.withLock { machine in
      machine.path = path
      for (monitor, queue) in machine.monitors { monitor.tell(path, on: queue) }
    }
  }

  /// How many have been started, and not cancelled.
  public static var running: Int { machine.withLock { $0.monitors.count } }
}
