import Synchronization
import TaskKit

/// Bodies that return only when all of them have started: they would hang if one that waits kept another from starting.
final class WaitingBodies: Sendable {
  private let count: Int
  private let started = Atomic(0)
  private let gate = Gate()

  init(count: Int) {
    self.count = count
  }

  /// What went wrong; nil if all of them started.
  func mistake() async -> String? {
    let work = Work(asyncBodies: (0..<count).map { _ in Work.AsyncBody { await self.body() } })
    let registry = Registries.generated(BenchmarkGraph(.wide, count: count), work)
    let center = TaskCenter(registry: registry, configuration: .init(reporting: .problems))
    let report = await center.send(.didBecomeActive, deadline: .seconds(20))
    gate.open()
    guard report.status != .completed else { return nil }
    return "\(started.load(ordering: .relaxed)) of \(count) bodies started, the others waited for them"
  }

  private func body() async {
    if started.add(1, ordering: .relaxed).newValue == count { gate.open() }
    await gate.wait()
  }
}
