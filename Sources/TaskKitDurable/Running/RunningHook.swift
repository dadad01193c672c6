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
  func beganToWait() { for engine in center.jobEngines { engine.lookWhichHooksWait() } }

  func lookWhoWaits() { for engine in center.jobEngines { engine.lookWhoWaits() } }
}

extension JobEngine {
  /// Waits for the hooks that have begun by now, for as long as there is time for a stop. The one that calls is not waited for, nor
  /// are those that wait for the task that does; in them not for others that wait so, too.
  ///
  /// - Returns: those that have not returned.
  func untilHooksReturned(_ number: UInt64) async -> [JobMachine.Hook] {
    guard let center, !inspect(\.hooks.isEmpty) else { return [] }
    let body = center.callingBody
    var works = body.flatMap { center.companionLook(for: [$0])?.waiting[0] } ?? []
    if let work = center.callingWork { works.append(work) }
    let own = hooks(among: works)
    return await withCheckedContinuation { waiter in
      receive { $0.awaitHooks(number, waiter, besides: own, in: body) }
      // One may have begun to wait for the task since that was asked.
      lookWhichHooksWait()
    }
  }

  /// Asks which hooks wait for tasks of the center that wait for hooks.
  func lookWhichHooksWait() {
    let waiters = inspect { $0.bodiesAwaitingHooks }
    guard !waiters.isEmpty, let look = center?.companionLook(for: waiters.map(\.body)) else { return }
    let own = zip(waiters, look.waiting).map { waiter, works in (number: waiter.number, hooks: hooks(among: works)) }
    receive { machine in
      for (number, hooks) in own { machine.noteHooks(hooks, waitingFor: number) }
    }
  }

  /// Those of this store.
  private func hooks(among works: [any CompanionWork]) -> Set<UInt64> {
    Set(works.compactMap { $0 as? RunningHook }.filter { $0.engine === self }.map(\.number))
  }
}
