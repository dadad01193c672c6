/// One run of one body: what a context is a view of.
struct TaskFrame: Sendable {
  let center: TaskCenter
  let handle: RunHandle
  let plan: EventPlan
  let node: Int32
  let payload: any Sendable
  let attempt: Int

  func typedPayload<Payload: Sendable>() -> Payload {
    guard let typed = (payload as? Payload ?? (payload as? ScheduledRuns)?[plan.tasks[Int(node)]] as? Payload)
    else {
      // The center refuses a send whose event does not agree with the registered one.
      preconditionFailure("event '\(plan.event.name)' was sent with another payload than \(Payload.self)")
    }
    return typed
  }

  func context<Payload: Sendable>() -> TaskContext<Payload> {
    TaskContext(payload: typedPayload(), frame: self)
  }
}
