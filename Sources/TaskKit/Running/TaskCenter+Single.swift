import Foundation
import Synchronization
import TaskGraph

extension TaskCenter {
  /// Runs one task now, with what it depends on and has not ended well yet.
  ///
  /// A task that takes a payload gets the latest one of its event, a notification without its sender; one of several events,
  /// that of the first of them that has one.
  ///
  /// - Throws: ``TaskError`` if there is no such task, if its event or that of a dependency was never sent and carries a
  ///   payload, or, from inside a task, if it would wait for that one.
  @discardableResult
  public func run(_ name: TaskName) async throws -> EventReport {
    let sender = WorkerBox.frame(in: self)
    let now = self.now
    let wall = time.wall()
    let handle = try receive(at: now) { machine, now in
      let task = try machine.find(name)
      if machine.isClosed { throw TaskError.hasShutDown(name) }
      let handle = try machine.startSingle(task, sender: sender?.identity, now: now, wall: wall)
      if let sender { machine.await(.run(handle.id), by: sender.identity, worker: sender.worker, now: now) }
      machine.serve(handle, now: now)
      return handle
    }
    return await withTaskCancellationHandler {
      await report(of: handle.id, sender: sender)
    } onCancel: {
      cancel(run: handle.id)
    }
  }

  /// Runs the task of a type now, with what it depends on and has not ended well yet. See ``run(_:)-(TaskName)``.
  @discardableResult
  public func run<Declared: LifecycleTask>(_ type: Declared.Type) async throws -> EventReport {
    try await run(Declared.registration.name)
  }
}

extension CenterMachine {
  mutating func startSingle(_ task: Int32, sender: FrameIdentity?, now: Int64, wall: Date) throws -> RunHandle {
    var chosen: Set<Int32> = []
    var open = [task]
    while let next = open.popLast() {
      guard chosen.insert(next).inserted else { continue }
      open += tasks[Int(next)].dependencies.filter { hasNotEndedWell($0) }
    }
    let own = occasionWithPayload(of: task).event
    let event = number(of: own)
    let payload = try payload(for: task, of: own, wall: wall)
    let name = tasks[Int(task)].registration.name
    let plan = try mixedPlan(of: declared(Array(chosen)), for: task, at: event, wall: wall)
    if let sender, let chain = chainOfWaiting(from: plan, named: name.rawValue, to: sender) {
      throw TaskError.waitsForItself(name, "running '\(name)'", chain: chain, "which runs it; run it from outside")
    }
    let handle = startRun(nextID(), plan: plan, event: nil, payload: payload, deadline: nil, now: now)
    runs[handle.slot]!.claims = 1
    return handle
  }

  /// Whether a task has to run before others can that need it. One that is running counts as one that will have run: the
  /// plan waits for it.
  private func hasNotEndedWell(_ task: Int32) -> Bool {
    guard let latest = latestRun(of: task, besides: nil), let state = runs[latest.run.slot]?.state else {
      return !tasks[Int(task)].latestEndedWell
    }
    return state.status[Int(latest.node)].hasEnded && !state.endedWell(latest.node)
  }

  /// The first occasion of a task for which there is a payload, or else the first of all.
  private func occasionWithPayload(of task: Int32) -> TaskOccasion {
    let occasions = tasks[Int(task)].registration.occasions
    return occasions.first { occasion in
      let event = occasion.event
      return event.schedule != nil || event.identity.payload == Void.self
        || eventNumbers[event.name].flatMap { events[$0].latestPayload } != nil
    } ?? occasions[0]
  }

  private func payload(for task: Int32, of event: EventDescription, wall: Date) throws -> any Sendable {
    if event.schedule != nil {
      let begun = schedules.states[task]?.begun ?? 0
      return ScheduledRun(scheduledFor: wall, number: begun + 1, missed: 0, isManual: true)
    }
    if let number = eventNumbers[event.name], let latest = events[number].latestPayload { return latest }
    if event.identity.payload == Void.self { return () }
    throw TaskError.needsPayload(tasks[Int(task)].registration.name, event: event.name)
  }

  /// A plan of a task and others, which may belong to several events: each takes the latest payload of its own.
  private mutating func mixedPlan(of chosen: [Int32], for task: Int32, at event: Int, wall: Date) throws -> EventPlan {
    while true {
      var isMixed = false
      let members = try chosen.map { number in
        let occasions = tasks[Int(number)].registration.occasions
        let occasion =
          occasions.first { $0.event.name == events[event].description.name } ?? occasionWithPayload(of: number)
        let isOfEvent = occasion.event.name == events[event].description.name
        if !isOfEvent { isMixed = true }
        // All schedules are one event, and each task is told of its own.
        let isOwn = isOfEvent && (number == task || occasion.event.schedule == nil)
        let body =
          isOwn
          ? occasion.body : occasion.body.taking(payload: try payload(for: number, of: occasion.event, wall: wall))
        return EventPlan.Member(task: number, body: body)
      }
      let description = events[event].description
      if let plan = EventPlan(event: description, members: members, tasks: tasks, isMixed: isMixed) { return plan }
      breakCircles(among: ContiguousArray(chosen), at: description.occasion, isMixed: isMixed)
    }
  }
}

extension TaskBody {
  /// The same body with a payload of its own in the place of the occurrence's.
  func taking(payload: any Sendable) -> TaskBody {
    switch self {
    case .plain, .plainAsync: self
    case .framed(let run): .framed { try run($0.replacing(payload: payload)) }
    case .framedAsync(let run): .framedAsync { try await run($0.replacing(payload: payload)) }
    case .main(let run): .main { try run($0.replacing(payload: payload)) }
    }
  }
}

extension TaskFrame {
  func replacing(payload: any Sendable) -> TaskFrame {
    TaskFrame(center: center, handle: handle, plan: plan, node: node, payload: payload, attempt: attempt)
  }
}
