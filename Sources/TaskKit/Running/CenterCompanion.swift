package import Foundation
import Synchronization

/// Something of another library that lives with a center: it starts with it, counts for its quiet, stops in its shutdown
/// and ends with it.
///
/// The center holds its companions. They hold the center only while something of theirs runs in it, so that a center
/// that nobody uses any more can go.
package protocol CenterCompanion: AnyObject, Sendable {
  /// The center was started, perhaps not for the first time.
  func centerStarted()

  /// Looks at what a registry carries that is about to be added to the center.
  ///
  /// - Throws: why what is meant for the companion cannot be taken. Then nothing has changed.
  func check(_ items: [any RegistryItem]) throws

  /// The registry has been added: takes what is meant for the companion.
  func take(_ items: [any RegistryItem])

  /// The calendar's clock or the time zone was set.
  func clockChanged()

  /// Whether nothing of it is going. Asked under the center's lock: it takes no lock but its own, and calls nobody.
  var isQuiet: Bool { get }

  /// The shutdown of the center is about to cancel what is going in it: from now on nothing of the companion begins, and what
  /// is going is told that it ends. It must not fail of what the center cancels before it knows why. The center is closed
  /// behind it: nobody's code may wait in it.
  func beginStop()

  /// Waits until what is going has ended, in the shutdown of the center, after ``beginStop()``.
  ///
  /// - Parameter share: how long that may take; it returns by then.
  /// - Returns: what did not return.
  func stop(within share: Duration) async -> [UnfinishedTask]

  /// The last step of the shutdown: nothing is asked of it any more.
  func close() async

  /// What it has begun since ``stop(within:)``, as it was closed, and has not returned by now.
  var unfinished: [UnfinishedTask] { get }

  /// The center has gone. Nothing of the companion was running in it.
  func centerEnded()
}

extension CenterCompanion {
  package var unfinished: [UnfinishedTask] { [] }
}

extension TaskCenter {
  package func attach(_ companion: any CenterCompanion) { companions.withLock { $0.append(companion) } }

  package func companion<Companion: CenterCompanion>(as type: Companion.Type) -> Companion? {
    for companion in companions.withLock({ $0 }) {
      if let companion = companion as? Companion { return companion }
    }
    return nil
  }

  /// A companion has become quiet: who waits for that looks again.
  package func companionBecameQuiet() { receive { $0.wakeSettleWaiters() } }

  /// Something of a companion runs, or nothing does any more: a center is not idle meanwhile.
  package func companionWorks(_ isWorking: Bool) {
    let now = self.now
    receive(at: now) { $0.companionWorks(isWorking, now: $1) }
  }

  /// What the clocks of the center show.
  package var continuousTime: Duration { .nanoseconds(now) }

  package var wallClock: @Sendable () -> Date { time.wall }

  /// A number from 0 to 1 that jitter is drawn from.
  package var chance: Double { configuration.chance() }

  /// Gets a sentence about what somebody has to repair.
  package var report: @Sendable (String) -> Void { configuration.report }

  /// What tells this machine from others.
  package var hostName: String { configuration.hostName }

  var areCompanionsQuiet: Bool { companions.withLock { $0 }.allSatisfy(\.isQuiet) }

  func beginStopOfCompanions() { for companion in companions.withLock({ $0 }) { companion.beginStop() } }

  /// - Parameter share: how many nanoseconds each may take, at the same time.
  func stopCompanions(within share: Int64) async -> [UnfinishedTask] {
    await withTaskGroup(of: [UnfinishedTask].self) { group in
      for companion in companions.withLock({ $0 }) {
        group.addTask { await companion.stop(within: .nanoseconds(share)) }
      }
      return await group.reduce(into: []) { $0 += $1 }
    }
  }

  /// - Returns: what they have begun in that, and had not returned when the time was over.
  func closeCompanions(within time: Int64) async -> [UnfinishedTask] {
    var unfinished: [UnfinishedTask] = []
    for companion in companions.withLock({ $0 }) {
      _ = await result(within: time) { await companion.close() }
      unfinished += companion.unfinished
    }
    return unfinished
  }
}

extension UnfinishedTask {
  package init(_ name: TaskName, at location: TaskLocation, for duration: Duration?) {
    self.init(name: name, location: location, duration: duration)
  }
}
