public import Foundation

// Stands in for BackgroundTasks where there is none: names and types as Apple publishes them, as far as the adapter goes.

open class BGTask: NSObject {
  public let identifier: String
  public var expirationHandler: (() -> Void)?
  /// What it was completed with.
  public let completions: AsyncStream<Bool>
  private let continuation: AsyncStream<Bool>.Continuation

  public init(identifier: String) {
    self.identifier = identifier
    (completions, continuation) = AsyncStream.makeStream()
  }

  public func setTaskCompleted(success: Bool) { continuation.yield(success) }
}

open class BGTaskRequest: NSObject {
  public let identifier: String
  public var earliestBeginDate: Date?

  init(identifier: String) { self.identifier = identifier }
}

open class BGProcessingTaskRequest: BGTaskRequest {
  public var requiresNetworkConnectivity = false
  public var requiresExternalPower = false

  public override init(identifier: String) { super.init(identifier: identifier) }
}

// What it holds is only used under its lock.
public final class BGTaskScheduler: @unchecked Sendable {
  public static let shared = BGTaskScheduler()

  private let lock = NSLock()
  private var handlers: [String: (BGTask) -> Void] = [:]
  private var requests: [BGTaskRequest] = []

  /// What stands in Info.plist.
  public static let permittedIdentifiers: Set<String> = [
    "org.taskkit.tests", "org.taskkit.tests.used", "org.taskkit.tests.unused",
  ]

  public func register(
    forTaskWithIdentifier identifier: String, using queue: DispatchQueue?, launchHandler: @escaping (BGTask) -> Void
  ) -> Bool {
    guard Self.permittedIdentifiers.contains(identifier) else { return false }
    return lock.withLock {
      precondition(handlers[identifier] == nil, "the system ends an app that registers '\(identifier)' twice")
      handlers[identifier] = launchHandler
      return true
    }
  }

  public func submit(_ request: BGTaskRequest) throws { lock.withLock { requests.append(request) } }

  /// What the system would do.
  public func launch(_ task: BGTask) { lock.withLock { handlers[task.identifier] }?(task) }

  /// The requests of an identifier so far.
  public func requests(of identifier: String) -> [BGTaskRequest] {
    lock.withLock { requests.filter { $0.identifier == identifier } }
  }
}
