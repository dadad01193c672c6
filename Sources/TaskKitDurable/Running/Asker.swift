import TaskKit

/// Who waits for workers: a job, a task of the center, or somebody else.
///
/// What counts is who waits for whom, not what was started from where: what a job begins and does not await waits for that
/// job like anybody else.
struct Asker: Sendable {
  /// The attempts that would wait for themselves, of the store that is asked: the one whose body calls, or those that wait
  /// for the task that does.
  let own: Set<AttemptToken>
  /// Whether there is any, of whatever store of the center.
  let isInside: Bool
  /// The task's body: others may begin to wait for it.
  let body: CallingBody?

  /// Whoever calls.
  init(of engine: JobEngine) {
    let center = engine.center
    let body = center?.callingBody
    var works = body.flatMap { center?.works(waitingFor: $0) } ?? []
    if let work = center?.callingWork { works.append(work) }
    self.init(works, body, of: engine)
  }

  /// A task that waits already.
  init(_ body: CallingBody, of engine: JobEngine) {
    self.init(engine.center?.works(waitingFor: body) ?? [], body, of: engine)
  }

  private init(_ works: [any CompanionWork], _ body: CallingBody?, of engine: JobEngine) {
    let attempts = works.compactMap { $0 as? RunningAttempt }
    own = Set(attempts.filter { $0.engine === engine }.map(\.job.token))
    isInside = !attempts.isEmpty
    self.body = body
  }
}

extension RunningAttempt: CompanionWork {
  func lookWhoWaits() {
    for engine in center.companion(as: JobRuntime.self)?.engines ?? [] { engine.lookWhoWaits() }
  }
}

extension JobEngine {
  /// Asks again which attempts wait for the tasks of the center that wait here.
  func lookWhoWaits() {
    for (number, body) in inspect({ $0.waitingBodies }) {
      let asker = Asker(body, of: self)
      receive { $0.add(asker, toWaiter: number) }
    }
  }
}
