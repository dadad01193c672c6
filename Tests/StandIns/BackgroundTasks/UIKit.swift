public import Foundation

// Stands in for UIKit where there is none: names, types and isolation as Apple publishes them, as far as the adapter goes.

public struct UIBackgroundTaskIdentifier: RawRepresentable, Hashable, Sendable {
  public let rawValue: Int
  public init(rawValue: Int) { self.rawValue = rawValue }
  public static let invalid = UIBackgroundTaskIdentifier(rawValue: 0)
}

@MainActor open class UIApplication: NSObject {
  // What it holds is only used under its lock.
  nonisolated private let tasks = BackgroundTasks()
  /// The names of the tasks that have ended.
  nonisolated public let ended: AsyncStream<String>
  nonisolated private let continuation: AsyncStream<String>.Continuation

  public override init() { (ended, continuation) = AsyncStream.makeStream() }

  /// Whether the system gives time.
  nonisolated public var givesTime: Bool {
    get { tasks.lock.withLock { tasks.givesTime } }
    set { tasks.lock.withLock { tasks.givesTime = newValue } }
  }

  /// The names of the tasks that have not ended.
  nonisolated public var names: [String] { tasks.lock.withLock { tasks.open.values.map(\.name) } }

  nonisolated open func beginBackgroundTask(
    withName taskName: String?, expirationHandler handler: (@MainActor @Sendable () -> Void)? = nil
  ) -> UIBackgroundTaskIdentifier {
    tasks.lock.withLock {
      guard tasks.givesTime else { return .invalid }
      tasks.last += 1
      let identifier = UIBackgroundTaskIdentifier(rawValue: tasks.last)
      tasks.open[identifier] = (taskName ?? "", handler)
      return identifier
    }
  }

  nonisolated open func endBackgroundTask(_ identifier: UIBackgroundTaskIdentifier) {
    let task = tasks.lock.withLock { tasks.open.removeValue(forKey: identifier) }
    if let task { continuation.yield(task.name) }
  }

  /// What the system does when the time is over.
  public func expire() { for handler in tasks.lock.withLock({ tasks.open.values.map(\.handler) }) { handler?() } }
}

@MainActor open class UIDevice: NSObject {
  public enum BatteryState: Int, Sendable { case unknown, unplugged, charging, full }

  public static let current = UIDevice()
  nonisolated open class var batteryStateDidChangeNotification: Notification.Name {
    Notification.Name("UIDeviceBatteryStateDidChangeNotification")
  }

  open var isBatteryMonitoringEnabled = false
  private var state = BatteryState.unplugged

  /// Unknown as long as nobody wants to know.
  open var batteryState: BatteryState { isBatteryMonitoringEnabled ? state : .unknown }

  /// What happens to the device.
  public func change(to state: BatteryState) {
    self.state = state
    guard isBatteryMonitoringEnabled else { return }
    NotificationCenter.default.post(name: Self.batteryStateDidChangeNotification, object: self)
  }
}

// What it holds is only used under its lock.
private final class BackgroundTasks: @unchecked Sendable {
  let lock = NSLock()
  var givesTime = true
  var last = 0
  var open: [UIBackgroundTaskIdentifier: (name: String, handler: (@MainActor @Sendable () -> Void)?)] = [:]
}
