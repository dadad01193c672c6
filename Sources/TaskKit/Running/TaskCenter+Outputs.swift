import Synchronization
import TaskGraph

extension TaskCenter {
  /// What the task of a type returned at its latest occurrence, waiting for it if it is part of one that is going.
  ///
  /// That the waiting task is cancelled does not end the wait.
  ///
  /// - Throws: ``TaskError`` if there is no such task or it has no output: it never ran, failed, or was skipped. From
  ///   inside a task of the same occurrence it does not wait, because that may never end: declare the dependency. From
  ///   inside another task it throws if that other occurrence waits for it.
  public func output<Declared: LifecycleTask>(of type: Declared.Type) async throws -> Declared.Output {
    try await output(named: Declared.registration.name)
  }

  /// What a task returned at its latest occurrence. See ``output(of:)``.
  public func output<Output: Sendable>(named name: TaskName, as type: Output.Type = Output.self) async throws -> Output
  {
    let caller = WorkerBox.caller(in: self)
    while true {
      let (task, state) = try receive { machine in
        let task = try machine.find(name)
        return (task, machine.outputState(of: task, from: caller?.frame))
      }
      switch state {
      case .ended(let output, let status, let error):
        return try TaskCenter.typed(output, status: status, error: error, of: name)
      case .detached: throw TaskError.missingOutput(of: name, because: "it was destroyed or left out")
      case .ownRun: throw TaskError.undeclaredOutput(of: name, readBy: nameOfTask(caller?.frame.body) ?? name)
      case .running(let handle, let node):
        let waited = Waited.node(handle, node)
        if let chain = beginWait(for: waited, by: caller) {
          throw TaskError.waitsForItself(
            name, "awaiting the output of '\(name)'", chain: chain, "which awaits it; read it after this task has ended"
          )
        }
        await waiting(for: waited, by: caller) {
          await withCheckedContinuation { continuation in
            let hasEnded = receive { machine in
              // Its number may belong to another task by now.
              (try? machine.find(name)) != task || !machine.awaitEnd(of: task, continuation)
            }
            if hasEnded { continuation.resume() }
          }
        }
      }
    }
  }

  /// How a task did over the life of this center: how often, how long, how it ended last.
  ///
  /// They go with the task: who destroys or replaces it, or lets it run once, reads them before, or takes the reports.
  ///
  /// - Throws: ``TaskError`` if there is no such task, or several of that short name.
  public func statistics(of name: TaskName) throws -> TaskStatistics {
    try receive { machine in
      let task = Int(try machine.find(name))
      return task < machine.statistics.count ? machine.statistics[task] : TaskStatistics()
    }
  }

  /// How the task of a type did over the life of this center.
  public func statistics<Declared: LifecycleTask>(of type: Declared.Type) throws -> TaskStatistics {
    try statistics(of: Declared.registration.name)
  }

  /// The output of a declared dependency, for the context of a running body.
  func output<Output: Sendable>(ofDependency position: Int, of frame: TaskFrame) throws -> Output {
    let (name, state) = inspect { machine -> (TaskName, CenterMachine.OutputState) in
      let declared = frame.plan.registrations[Int(frame.node)].dependencies[position]
      guard let number = machine.number(of: declared, in: frame) else {
        return (TaskName(declared.text), .detached)
      }
      let name = machine.tasks[Int(number)].registration.name
      return (name, machine.outputState(of: number, in: frame.handle))
    }
    switch state {
    case .ended(let output, let status, let error):
      return try TaskCenter.typed(output, status: status, error: error, of: name)
    case .detached: throw TaskError.missingOutput(of: name, because: "it was destroyed or left out")
    case .running, .ownRun: throw TaskError.missingOutput(of: name, because: "it has not ended")
    }
  }

  private func nameOfTask(_ body: FrameIdentity.Body?) -> TaskName? {
    guard let body else { return nil }
    return inspect { machine in
      machine.isActive(body.run) ? machine.runs[body.run.slot]?.state.plan.name(body.node) : nil
    }
  }

  private static func typed<Output: Sendable>(
    _ output: (any Sendable)?, status: NodeStatus?, error: (any Error)?, of name: TaskName
  ) throws -> Output {
    // Without an output, a cast to an optional type would find nil.
    if let output, let typed = output as? Output { return typed }
    if status == .succeeded, let nothing = () as? Output { return nothing }
    throw TaskError.missingOutput(
      of: name, because: reason(output, status, error, expected: "\(Output.self)"),
      underlying: status == .failed ? error : nil)
  }

  private static func reason(
    _ output: (any Sendable)?, _ status: NodeStatus?, _ error: (any Error)?, expected: String
  ) -> String {
    if let output { return "it returned \(Swift.type(of: output)), not \(expected)" }
    switch status {
    case nil: return "it has not run"
    case .succeeded: return "it returned nothing"
    case .failed: return "it failed: \(error.map { "\($0)" } ?? "without an error")"
    case .timedOut: return "it timed out"
    case .cancelled, .cancelledUnstarted: return "it was cancelled"
    default: return "it was skipped"
    }
  }
}

extension CenterMachine {
  enum OutputState: Sendable {
    case ended((any Sendable)?, NodeStatus?, (any Error)?)
    case running(RunHandle, Int32)
    /// It is part of the occurrence of the task that asks, and has not ended.
    case ownRun
    /// It was a dependency, and the task goes on without it.
    case detached
  }

  func outputState(of task: Int32, from frame: FrameIdentity?) -> OutputState {
    guard let latest = latestRun(of: task, besides: nil) else { return keptOutput(of: task) }
    if runs[latest.run.slot]!.state.status[Int(latest.node)].hasEnded { return ended(latest.node, in: latest.run) }
    return frame?.body?.run == latest.run ? .ownRun : .running(latest.run, latest.node)
  }

  /// Inside an occurrence its own task wins; otherwise the end that has let it go on, and where there is none, the latest.
  func outputState(of task: Int32, in handle: RunHandle) -> OutputState {
    if isActive(handle), let node = runs[handle.slot]!.state.plan.node(ofTask: task),
      runs[handle.slot]!.state.status[Int(node)] != .skippedAlreadyRan
    {
      return runs[handle.slot]!.state.status[Int(node)].hasEnded ? ended(node, in: handle) : .running(handle, node)
    }
    if isActive(handle), let end = runs[handle.slot]!.state.externalEnds[tasks[Int(task)].sequence] { return end }
    return outputState(of: task, from: nil)
  }

  /// The task that a dependency of a body's task stands for.
  fileprivate func number(of dependency: TaskDependency, in frame: TaskFrame) -> Int32? {
    let task = frame.plan.tasks[Int(frame.node)]
    if isActive(frame.handle) || tasks[Int(task)].registration.name == frame.plan.name(frame.node) {
      return number(of: dependency, for: task)
    }
    // The context has outlived its task, whose number may be another's now.
    if let type = dependency.type, let number = directory?.number(ofType: type) { return number }
    guard case .one(let number)? = directory?.find(dependency.text) else { return nil }
    return number
  }

  func ended(_ node: Int32, in handle: RunHandle) -> OutputState {
    let state = runs[handle.slot]!.state
    return .ended(state.outputs[node], state.status[Int(node)], state.errors[node])
  }

  func keptOutput(of task: Int32) -> OutputState {
    let record = tasks[Int(task)]
    return .ended(record.latestOutput, record.latest, record.latestError)
  }

  /// - Returns: whether there is an end to wait for.
  mutating func awaitEnd(of task: Int32, _ continuation: CheckedContinuation<Void, Never>) -> Bool {
    guard let latest = latestRun(of: task, besides: nil),
      !runs[latest.run.slot]!.state.status[Int(latest.node)].hasEnded
    else { return false }
    runs[latest.run.slot]!.state.reportsEnds = true
    outputWaiters[task, default: []].append(continuation)
    return true
  }
}
