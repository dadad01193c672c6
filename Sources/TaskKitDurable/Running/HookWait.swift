import Synchronization
import TaskKit

/// A stop of workers, and in what it waits: for the hooks of all the stores that it stops.
///
/// Who stops workers in a hook, or in a job, waits for no hook in which somebody does so, of whatever store: that one waits for the
/// hook, or for the job.
final class HookWait: Sendable {
  private struct State {
    /// Whether it waits in a job, or in a hook.
    var isInside = false
    /// The hooks in which it does: the one that calls, and those that wait for the task that does.
    var own: [ObjectIdentifier: RunningHook] = [:]
    var isOver = false
  }

  /// The task of the center that waits, if one does.
  let body: CallingBody?
  /// Whether it is that of the shutdown.
  let isShutdown: Bool
  private let engines: [JobEngine]
  private let state = Mutex(State())

  init(for engines: [JobEngine], in body: CallingBody?, isShutdown: Bool) {
    self.engines = engines
    self.body = body
    self.isShutdown = isShutdown
  }

  /// Whether it waits in a job, or in a hook, as far as anybody knows.
  var isInside: Bool { state.withLock { $0.isInside } }

  /// It waits in these.
  func note(_ works: [any CompanionWork]) {
    let (new, becameInside) = state.withLock { state -> ([RunningHook], Bool) in
      guard !state.isOver, !works.isEmpty else { return ([], false) }
      let new = works.compactMap { $0 as? RunningHook }.filter { state.own[ObjectIdentifier($0)] == nil }
      for hook in new { state.own[ObjectIdentifier(hook)] = hook }
      defer { state.isInside = true }
      return (new, !state.isInside)
    }
    for hook in new { hook.engine.receive { $0.countStops(1, in: hook.number) } }
    guard becameInside else { return }
    for engine in engines { engine.receive { $0.noteInside(ObjectIdentifier(self)) } }
  }

  /// It is over.
  func end() {
    let own = state.withLock { state in
      state.isOver = true
      defer { state.own = [:] }
      return Array(state.own.values)
    }
    for hook in own { hook.engine.receive { $0.countStops(-1, in: hook.number) } }
  }
}
