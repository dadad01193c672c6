import TaskGraph

/// A task that waits for its lane to open after an event, no occurrence of which ends before the task has.
///
/// Tasks of that event itself go through the gate; those of others do not, also where one of the event waits for them,
/// perhaps by way of another gate.
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

/// Looks for circles that go through the gates of lanes.
///
/// What waits is a task at one of its events: there its gate's own event lets it in, and at another one it does not.
///
/// Cost: O(n) where no task is in a lane that waits for an event; else O(n + e) for each such event.
struct GateProof {
  let tasks: [TaskRegistration]
  /// By task: those that it requires, wherever these run.
  let dependencies: [[Int]]
  /// By task: those that it comes after, where both run.
  let after: [[Int]]
  /// By task: the event after which its lane opens.
  private let gates: [Int: String]
  /// By such an event: its tasks.
  private let members: [String: [Int]]

  /// - Parameter isOpen: whether the gate of a lane has opened already.
  init(tasks: [TaskRegistration], dependencies: [[Int]], after: [[Int]], besides isOpen: (Lane) -> Bool) {
    (self.tasks, self.dependencies, self.after) = (tasks, dependencies, after)
    var gates: [Int: String] = [:]
    for (number, task) in tasks.enumerated() {
      guard let lane = task.lane, let event = lane.gateEvent, task.waits(forGateOf: event), !isOpen(lane) else {
        continue
      }
      gates[number] = event
    }
    self.gates = gates
    var members: [String: [Int]] = [:]
    if !gates.isEmpty {
      for event in gates.values { members[event] = [] }
      for (number, task) in tasks.enumerated() {
        for occasion in task.occasions { members[occasion.event.name]?.append(number) }
      }
    }
    self.members = members
  }

  var circles: [GateCircle] { members.keys.sorted().flatMap { circles(through: $0) } }

  /// A task at an event.
  private struct Place: Hashable {
    let task: Int
    let event: String
  }

  /// Goes from the tasks of an event, for whose end a gate waits, to what they wait for.
  private func circles(through event: String) -> [GateCircle] {
    var seen: Set<Place> = []
    var found: [Int: Int] = [:]
    // Its own tasks are where all begins.
    var passed: Set<String> = [event]
    for member in members[event]! where seen.insert(Place(task: member, event: event)).inserted {
      var open = [Place(task: member, event: event)]
      while let next = open.popLast() {
        if gates[next.task] == event, next.event != event { found[next.task] = member }
        for other in needs(of: next) where seen.insert(other).inserted { open.append(other) }
        guard let gate = gates[next.task], gate != next.event, passed.insert(gate).inserted else { continue }
        for other in members[gate]!.map({ Place(task: $0, event: gate) }) where seen.insert(other).inserted {
          open.append(other)
        }
      }
    }
    return found.sorted { $0.key < $1.key }.map { task, dependent in
      GateCircle(task: tasks[task], dependent: tasks[dependent], lane: tasks[task].lane!, event: event)
    }
  }

  /// What it waits for, but for a gate.
  private func needs(of place: Place) -> [Place] {
    var needs: [Place] = []
    for task in dependencies[place.task] {
      // An edge inside the same occurrence wins.
      let events = tasks[task].runs(at: place.event) ? [place.event] : tasks[task].occasions.map(\.event.name)
      needs += events.map { Place(task: task, event: $0) }
    }
    for task in after[place.task] where tasks[task].runs(at: place.event) {
      needs.append(Place(task: task, event: place.event))
    }
    return needs
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
      after: tasks.map { $0.afterRow.map(Int.init) }, besides: { isOpen($0) })
    for circle in proof.circles {
      guard let number = tasks.firstIndex(where: { $0.registration.name == circle.task.name }) else { continue }
      let error = TaskError.waitsForItself(circle)
      if let lane = tasks[number].registration.lane {
        lanes[lane]?.members -= 1
        forgetIfUnused(lane: lane)
      }
      tasks[number].registration = circle.task.failing(with: error, lane: nil)
    }
  }
}

extension TaskRegistration {
  fileprivate func runs(at event: String) -> Bool { occasions.contains { $0.event.name == event } }

  /// Whether it runs at an event that does not go through the gate of its lane.
  func waits(forGateOf event: String) -> Bool { occasions.contains { $0.event.name != event } }
}
