import TaskGraph

/// A task that waits for its lane to open after an event, no occurrence of which ends before the task has.
///
/// Tasks of that event itself go through the gate; those of others do not, also where one of the event waits for them.
struct GateCircle {
  /// The one in the lane.
  let task: TaskRegistration
  /// The one of the gate's event that waits for it, perhaps through others.
  let dependent: TaskRegistration
  let lane: Lane
  let event: String

  var message: String {
    "lane '\(lane)' opens after '\(event)', which does not end before task '\(task.name)' of that lane has, because "
      + "'\(dependent.name)' waits for it; let the lane open after another event, or take '\(task.name)' out of it"
  }

  var problem: Problem {
    Problem(
      code: "taskKit.gateCircle", message: message, place: SourcePlace(task.location),
      notes: [Problem.Note("'\(dependent.name)' is here", place: SourcePlace(dependent.location))])
  }
}

/// Looks for circles that go through the gate of a lane.
///
/// Cost: O(n) where no task is in a lane that waits for an event; else O(n + e) for each such event.
struct GateProof {
  let tasks: [TaskRegistration]
  /// By task: those that it requires, wherever these run.
  let dependencies: [[Int]]
  /// By task: those that it comes after, where both run.
  let after: [[Int]]

  /// - Parameter isOpen: whether the gate of a lane has opened already.
  func circles(besides isOpen: (Lane) -> Bool) -> [GateCircle] {
    var waiting: [String: Set<Int>] = [:]
    for (number, task) in tasks.enumerated() {
      guard let lane = task.lane, let event = lane.gateEvent, !task.runs(at: event), !isOpen(lane) else { continue }
      waiting[event, default: []].insert(number)
    }
    return waiting.sorted { $0.key < $1.key }.flatMap { circles(of: $0.value, after: $0.key) }
  }

  private func circles(of waiting: Set<Int>, after event: String) -> [GateCircle] {
    var seen: Set<Int> = []
    var found: [Int: Int] = [:]
    for (number, task) in tasks.enumerated() where task.runs(at: event) && seen.insert(number).inserted {
      var open = [number]
      while let next = open.popLast() {
        if waiting.contains(next) { found[next] = number }
        for other in needs(of: next) where seen.insert(other).inserted { open.append(other) }
      }
    }
    return found.sorted { $0.key < $1.key }.map { task, dependent in
      GateCircle(task: tasks[task], dependent: tasks[dependent], lane: tasks[task].lane!, event: event)
    }
  }

  private func needs(of task: Int) -> [Int] {
    dependencies[task]
      + after[task].filter { other in tasks[other].occasions.contains { tasks[task].runs(at: $0.event.name) } }
  }
}

extension CenterMachine {
  /// Refuses what a registry that the build has proved cannot be refused for: there a lane is an expression.
  ///
  /// The task in the lane fails, with the reason, and what depends on it is skipped.
  mutating func meetGates() {
    guard !closedLanes.isEmpty else { return }
    let proof = GateProof(
      tasks: tasks.map(\.registration), dependencies: tasks.map { $0.dependencyRow.map(Int.init) },
      after: tasks.map { $0.afterRow.map(Int.init) })
    for circle in proof.circles(besides: { isOpen($0) }) {
      guard let number = tasks.firstIndex(where: { $0.registration.name == circle.task.name }) else { continue }
      let error = TaskError.waitsForItself(circle)
      tasks[number].registration = circle.task.failing(with: error, lane: nil)
    }
  }

  /// Whether a lane has opened, or would at once if somebody spoke of it.
  func isOpen(_ lane: Lane) -> Bool {
    if let state = lanes[lane] { return state.isOpen }
    return lane.gateEvent.flatMap { eventNumbers[$0] }.map { events[$0].hasEnded } ?? false
  }
}

extension TaskRegistration {
  fileprivate func runs(at event: String) -> Bool { occasions.contains { $0.event.name == event } }
}
