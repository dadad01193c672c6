#if TASKKIT_STAND_INS || (canImport(BackgroundTasks) && !os(macOS) && !os(watchOS))
import Synchronization
#if TASKKIT_STAND_INS
import Foundation
public import TaskKitDurable
#else
import BackgroundTasks
#endif

/// The scheduler of Apple's systems, `BGTaskScheduler`, with processing tasks: minutes, when the device is not used.
///
/// The system ends a program that registers an identifier twice, or after its launch has finished. A second time by this
/// type is refused before the system hears of it; what the program registers with `BGTaskScheduler` itself, and when, is
/// the program's to know.
public struct SystemBackgroundScheduler: BackgroundScheduler {
  /// The identifiers that the system has somebody for: there is one scheduler in a process, and nothing is ever given up.
  private static let registered = Mutex<Set<String>>([])

  public init() {}

  /// Registers an identifier with the system, unless that was done before.
  ///
  /// - Returns: false if it was, or if Info.plist does not permit the identifier.
  public func register(_ identifier: String, _ launch: @escaping @Sendable (any BackgroundTime) -> Void) -> Bool {
    guard Self.registered.withLock({ $0.insert(identifier).inserted }) else { return false }
    let isPermitted = BGTaskScheduler.shared.register(forTaskWithIdentifier: identifier, using: nil) { task in
      launch(SystemBackgroundTime(task))
    }
    if !isPermitted { Self.registered.withLock { _ = $0.remove(identifier) } }
    return isPermitted
  }

  public func submit(_ request: BackgroundTimeRequest) throws {
    let processing = BGProcessingTaskRequest(identifier: request.identifier)
    processing.earliestBeginDate = request.earliest
    processing.requiresNetworkConnectivity = request.needsNetwork
    processing.requiresExternalPower = request.needsPower
    try BGTaskScheduler.shared.submit(processing)
  }
}

/// One task of the system, whose end is heard of from its launch on: it may be over before anybody uses it.
// A BGTask takes its completion from any thread; nothing else is asked of it when it has been launched.
private struct SystemBackgroundTime: BackgroundTime, @unchecked Sendable {
  private let task: BGTask
  private let expiry = SystemExpiry()

  init(_ task: BGTask) {
    self.task = task
    task.expirationHandler = { [expiry] in expiry.end() }
  }

  func whenExpired(_ body: @escaping @Sendable () -> Void) { expiry.whenOver(body) }

  func complete(success: Bool) { task.setTaskCompleted(success: success) }
}
#endif
