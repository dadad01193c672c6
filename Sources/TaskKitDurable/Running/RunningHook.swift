import TaskKit

/// What a kind does as a job of it has given up.
final class RunningHook: Sendable {
  let number: UInt64
  let engine: JobEngine
  private let center: TaskCenter

  init(number: UInt64, engine: JobEngine, center: TaskCenter) {
    self.number = number
    self.engine = engine
    self.center = center
  }
}

extension RunningHook: CompanionWork {
  func beganToWait() { center.jobRuntime?.lookWhoAwaitsStops() }

  func lookWhoWaits() { center.jobRuntime?.lookWhoWaits() }
}

extension JobEngine {
  /// Waits for the hooks that have begun by now, for as long as there is time for a stop; see ``HookWait``.
  ///
  /// - Returns: those that have not returned.
  func untilHooksReturned(_ number: UInt64, _ wait: HookWait) async -> [JobMachine.Hook] {
    guard let center, !inspect(\.hooks.isEmpty) else { return [] }
    return await withCheckedContinuation { waiter in
      let isInside = wait.isInside
      receive { machine in
        machine.awaitHooks(
          number, waiter, of: ObjectIdentifier(wait), isInside: isInside, isShutdown: wait.isShutdown)
      }
      // It may have been found since that it waits in one of them, or in a job, or have become so.
      if !isInside, wait.isInside { receive { $0.noteInside(ObjectIdentifier(wait)) } }
      if wait.body != nil { center.jobRuntime?.lookWhoAwaitsStops() }
    }
  }

  /// Waits for those that have begun since the stop of the shutdown, however long that takes.
  func untilLastHooksReturned() async {
    _ = await withCheckedContinuation { waiter in receive { $0.awaitLastHooks(waiter) } }
  }
}
