#if TASKKIT_STAND_INS || (canImport(BackgroundTasks) && !os(macOS) && !os(watchOS))
#if TASKKIT_STAND_INS
import Foundation
public import TaskKitDurable
#else
import BackgroundTasks
#endif

/// The scheduler of Apple's systems, `BGTaskScheduler`, with processing tasks: minutes, when the device is not used.
public struct SystemBackgroundScheduler: BackgroundScheduler {
  public init() {}

  public func register(_ identifier: String, _ launch: @escaping @Sendable (any BackgroundTime) -> Void) -> Bool {
    BGTaskScheduler.shared.register(forTaskWithIdentifier: identifier, using: nil) { task in
      launch(SystemBackgroundTime(task: task))
    }
  }

  public func submit(_ request: BackgroundTimeRequest) throws {
    let processing = BGProcessingTaskRequest(identifier: request.identifier)
    processing.earliestBeginDate = request.earliest
    processing.requiresNetworkConnectivity = request.needsNetwork
    processing.requiresExternalPower = request.needsPower
    try BGTaskScheduler.shared.submit(processing)
  }
}

// A BGTask takes its expiration handler and its completion from any thread; nothing else is asked of it.
private struct SystemBackgroundTime: BackgroundTime, @unchecked Sendable {
  let task: BGTask

  func whenExpired(_ body: @escaping @Sendable () -> Void) { task.expirationHandler = body }

  func complete(success: Bool) { task.setTaskCompleted(success: success) }
}
#endif
