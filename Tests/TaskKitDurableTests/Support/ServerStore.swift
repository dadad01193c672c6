import Foundation
import TaskKitDurable

/// A store whose clock is not that of this machine, as a server's.
struct ServerStore: ForwardingStore {
  let base: any JobStore
  private let ahead: TimeInterval
  private let clock = Clock()

  /// What it was told about its surroundings.
  private actor Clock {
    var now: (@Sendable () -> Date)?

    func set(_ now: @escaping @Sendable () -> Date) { self.now = now }
  }

  /// - Parameter ahead: by how many seconds it is ahead of the clock of its surroundings.
  init(_ base: any JobStore, ahead: TimeInterval) {
    self.base = base
    self.ahead = ahead
  }

  var name: String { "server" }

  func open(_ environment: StoreEnvironment) async throws -> StoreOpening {
    let now: @Sendable () -> Date = { [ahead] in environment.now() + ahead }
    await clock.set(now)
    return try await base.open(StoreEnvironment(now: now, owner: environment.owner))
  }

  func now() async throws -> Date? { await clock.now?() }

  func schedule(_ name: String, beginning date: Date) async throws -> ScheduleRecord {
    try await base.schedule(name, beginning: date)
  }

  func schedule(_ name: String) async throws -> ScheduleRecord? { try await base.schedule(name) }
}
