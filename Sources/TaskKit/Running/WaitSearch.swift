import TaskGraph

/// What a body, an occurrence or a send can wait for.
enum Waited: Sendable, Hashable {
  /// A whole occurrence, going or queued.
  case run(UInt64)
  /// The tasks of an occurrence, going or queued, whose effective priority is at least that.
  case urgent(UInt64, priority: Int)
  /// One task of an occurrence that is going.
  case node(RunHandle, Int32)
  /// Whichever body of an occurrence a worker runs now: who has given it his thread waits for one after the other.
  case worker(RunHandle, Int)
  /// Everything that was put into a lane.
  case lane(Lane)
  /// An instance of a module that is being made.
  case module(attempt: UInt64, name: String)
}

/// Looks for a way on which something waits for a body: for the one that is about to wait for it, above all.
///
/// An occurrence waits for all its tasks and, queued, for the one that is going; a task that has not started for what it
/// depends on and for its lane; a body for what it awaits; a module that is made for what its initialiser awaits. A copy
/// of the machine is read; what has to be made for that, the plans of events in the queue, is made before.
struct WaitSearch {
  private struct Step {
    /// Nil for a send that is not an occurrence yet.
    let waited: Waited?
    /// The name of such a send.
    var name = ""
    /// The lane that keeps who waits, where one does, with what it is kept by: a holder, or a gate.
    var lane: (lane: Lane, isGate: Bool)?
    /// From where it was found first; -1 for a beginning.
    let previous: Int
    /// From where it was found again.
    var others: [Int] = []
  }

  /// The body that is looked for, or the initialiser.
  private struct Target {
    let frame: FrameIdentity
    /// Whether the occurrence of the body waits for it: not where the body's task has ended without it.
    let isWaitedFor: Bool

    init(_ frame: FrameIdentity, in machine: CenterMachine) {
      self.frame = frame
      isWaitedFor =
        frame.body.map { body in
          machine.isActive(body.run) && machine.runs[body.run.slot]?.state.status[Int(body.node)] == .running
        } ?? false
    }

    /// Whether who waits for that waits for the body.
    func isMeant(by waited: Waited?) -> Bool {
      switch waited {
      case .module(let attempt, _): attempt == frame.making
      case .run(let id): isWaitedFor && id == frame.body?.run.id
      case .node(let run, let node): frame.body == FrameIdentity.Body(run: run, node: node)
      default: false
      }
    }
  }

  /// Bodies that wait for something which would wait for them.
  struct Circle {
    let waited: Waited
    /// By body: the way to it.
    let chains: [FrameIdentity: String]
  }

  private let machine: CenterMachine
  private var steps: [Step] = []
  /// Where each of the steps is.
  private var places: [Waited: Int] = [:]
  /// By run, which of its tasks wait for tasks of others; made when somebody asks.
  private var externals: [UInt64: [(node: Int32, waited: Waited)]]?

  init(_ machine: CenterMachine) { self.machine = machine }

  // MARK: - Beginnings

  /// Begins with another occurrence of an event.
  mutating func begin(withEvent event: Int) {
    let state = machine.events[event]
    if let active = state.active { add(.run(active.id), from: -1) }
    if let plan = state.plan { begin(with: plan, named: state.description.name) }
  }

  /// Begins with what the next send in the queue of an event will wait for.
  mutating func begin(withNextOf event: Int) {
    if let plan = machine.events[event].plan { begin(with: plan, named: machine.events[event].description.name) }
  }

  /// Begins with the tasks of a plan that are about to be started.
  mutating func begin(with plan: EventPlan, named name: String) {
    steps.append(Step(waited: nil, name: name, previous: -1))
    addNeeds(of: plan, from: steps.count - 1)
  }

  /// Begins with something that is there already.
  mutating func begin(with waited: Waited) { add(waited, from: -1) }

  // MARK: - The search

  /// - Returns: the way to a body, by the names of the events; nil if there is none.
  mutating func chain(to body: FrameIdentity) -> String? {
    let target = Target(body, in: machine)
    return search { target.isMeant(by: $0) }.map { sentence(to: $0) }
  }

  /// Whether there is a way to one of several bodies.
  mutating func leads(toAnyOf bodies: [FrameIdentity]) -> Bool {
    let targets = bodies.map { Target($0, in: machine) }
    return search { waited in targets.contains { $0.isMeant(by: waited) } } != nil
  }

  /// By body, everything from which there is a way to it: of what it was begun with, and of what that waits for.
  mutating func beginnings(leadingTo bodies: [FrameIdentity]) -> [Set<Waited>] {
    _ = search { _ in false }
    var modules: [UInt64: Int] = [:]
    for (waited, place) in places { if case .module(let attempt, _) = waited { modules[attempt] = place } }
    return bodies.map { body in
      let target = Target(body, in: machine)
      var leading: Set<Waited> = []
      // Looked up, and not looked for among all: there may be as many bodies as there are steps.
      var open: [Int] = []
      if let place = body.body.flatMap({ places[.node($0.run, $0.node)] }) { open.append(place) }
      if let place = body.body.flatMap({ places[.run($0.run.id)] }) { open.append(place) }
      if let place = body.making.flatMap({ modules[$0] }) { open.append(place) }
      open.removeAll { !target.isMeant(by: steps[$0].waited) }
      while let step = open.popLast() {
        guard let waited = steps[step].waited, leading.insert(waited).inserted else { continue }
        if steps[step].previous >= 0 { open.append(steps[step].previous) }
        open += steps[step].others
      }
      return leading
    }
  }

  /// Which bodies wait for the queue of an event and are waited for by what the search was begun with: by what the queue waits for.
  mutating func circles(throughQueueOf event: Int) -> [Circle] {
    _ = search { _ in false }
    var circles: [Circle] = []
    for step in steps {
      guard let waited = step.waited, let id = machine.run(of: waited), machine.queued[id]?.event == event else {
        continue
      }
      var chains: [FrameIdentity: String] = [:]
      for frame in machine.awaiting.bodies(waitingFor: waited) {
        let target = Target(frame, in: machine)
        let ways = [step.previous] + step.others
        if let way = ways.first(where: { $0 >= 0 && target.isMeant(by: steps[$0].waited) }) {
          chains[frame] = sentence(to: way)
        }
      }
      if !chains.isEmpty { circles.append(Circle(waited: waited, chains: chains)) }
    }
    return circles
  }

  /// - Returns: the first step that is meant; nil when everything was looked at.
  private mutating func search(for isMeant: (Waited?) -> Bool) -> Int? {
    var next = 0
    while next < steps.count {
      if isMeant(steps[next].waited) { return next }
      switch steps[next].waited {
      case .module(let attempt, _): addAwaited(inRun: nil, by: { $0.making == attempt }, from: next)
      case .run(let id): expand(run: id, from: next)
      case .urgent(let id, let priority): expand(run: id, from: next, atLeast: priority)
      case .node(let handle, let node): expand(node, of: handle, from: next)
      case .worker(let handle, let worker): expand(worker: worker, of: handle, from: next)
      case .lane(let lane): expand(lane, from: next)
      case nil: break
      }
      next += 1
    }
    return nil
  }

  private mutating func add(_ waited: Waited, from previous: Int, lane: (lane: Lane, isGate: Bool)? = nil) {
    if let place = places[waited] {
      if previous >= 0 { steps[place].others.append(previous) }
      return
    }
    places[waited] = steps.count
    steps.append(Step(waited: waited, lane: lane, previous: previous))
  }

  private func sentence(to last: Int) -> String {
    var words = ""
    var current = last
    while current >= 0 {
      words = self.words(of: steps[current]) + words
      current = steps[current].previous
    }
    return words
  }

  private func words(of step: Step) -> String {
    guard let waited = step.waited else { return "'\(step.name)'" }
    let name = machine.eventName(of: waited)
    if case .module = waited { return step.previous < 0 ? "module '\(name)'" : " waits for module '\(name)'" }
    if step.previous < 0 { return "'\(name)'" }
    if let lane = step.lane {
      return " waits for lane '\(lane.lane)', which " + (lane.isGate ? "opens after '\(name)'" : "'\(name)' holds")
    }
    return machine.run(of: steps[step.previous].waited) == machine.run(of: waited) ? "" : " waits for '\(name)'"
  }

  // MARK: - Who waits for what

  /// - Parameter priority: only the tasks of at least that effective priority are waited for.
  private mutating func expand(run id: UInt64, from step: Int, atLeast priority: Int) {
    guard machine.queued[id] == nil else { return expand(run: id, from: step) }
    guard let handle = machine.handle(ofRun: id), let state = machine.runs[handle.slot]?.state else { return }
    for node in 0..<Int32(state.plan.count) where !state.status[Int(node)].hasEnded {
      if state.plan.effectivePriorities[Int(node)] >= priority { add(.node(handle, node), from: step) }
    }
  }

  private mutating func expand(run id: UInt64, from step: Int) {
    if let waiting = machine.queued[id] {
      let event = machine.events[waiting.event]
      // Those before it in the line wait for nothing else.
      if let active = event.active { add(.run(active.id), from: step) }
      if let plan = event.plan { addNeeds(of: plan, from: step) }
      return
    }
    guard let handle = machine.handle(ofRun: id), let state = machine.runs[handle.slot]?.state else {
      if let entry = machine.laneEntry(id) { addPlace(in: entry.request.lane, ofEvent: nil, from: step) }
      return
    }
    addAwaited(inRun: id, by: { _ in true }, from: step)
    addExternals(ofRun: id, where: { _ in true }, from: step)
    for node in 0..<Int32(state.plan.count) where !state.status[Int(node)].hasEnded {
      addPlace(of: node, handle, state, from: step)
      if state.status[Int(node)] != .running { addOnlyRun(of: Int(node), in: state.plan, from: step) }
    }
  }

  private mutating func expand(_ node: Int32, of handle: RunHandle, from step: Int) {
    addAwaited(inRun: handle.id, by: { $0.body?.node == node }, from: step)
    guard machine.isActive(handle), let state = machine.runs[handle.slot]?.state,
      !state.status[Int(node)].hasEnded, state.status[Int(node)] != .running
    else { return }
    addExternals(ofRun: handle.id, where: { $0 == node }, from: step)
    addPlace(of: node, handle, state, from: step)
    addOnlyRun(of: Int(node), in: state.plan, from: step)
    for prerequisite in state.plan.prerequisites(of: node) where !state.status[Int(prerequisite)].hasEnded {
      add(.node(handle, prerequisite), from: step)
    }
  }

  /// Who waits for a worker waits for its body, and not for the rest of the occurrence.
  private mutating func expand(worker: Int, of handle: RunHandle, from step: Int) {
    guard machine.isActive(handle), let run = machine.runs[handle.slot], run.workers.indices.contains(worker),
      let node = run.workers[worker].stage.node
    else { return }
    add(.node(handle, node), from: step)
  }

  private mutating func addAwaited(inRun run: UInt64?, by isBody: (FrameIdentity) -> Bool, from step: Int) {
    for waited in machine.awaiting.waited(inRun: run, by: isBody) { add(waited, from: step) }
  }

  private mutating func addExternals(ofRun run: UInt64, where isMeant: (Int32) -> Bool, from step: Int) {
    if externals == nil { externals = waitsForExternals() }
    for external in externals![run] ?? [] where isMeant(external.node) { add(external.waited, from: step) }
  }

  private func waitsForExternals() -> [UInt64: [(node: Int32, waited: Waited)]] {
    var waits: [UInt64: [(node: Int32, waited: Waited)]] = [:]
    for slot in machine.runs.indices {
      guard let state = machine.runs[slot]?.state else { continue }
      for (node, dependents) in state.externalDependents {
        let waited = Waited.node(RunHandle(slot: slot, id: state.id), node)
        for dependent in dependents.elements {
          waits[dependent.run.id, default: []].append((node: dependent.node, waited: waited))
        }
      }
    }
    return waits
  }

  /// A task that has not started waits for its lane, and for the body of the one whose place it took.
  private mutating func addPlace(of node: Int32, _ handle: RunHandle, _ state: RunState, from step: Int) {
    guard state.status[Int(node)] != .running else { return }
    addPlace(
      of: state.plan.tasks[Int(node)], lane: state.plan.registrations[Int(node)].lane,
      event: machine.runs[handle.slot]?.entry == nil ? state.plan.event.name : nil, from: step)
  }

  /// Everything in a lane waits for who is in it, and before its gate opens for the event after which that happens; tasks
  /// of that event itself do not.
  private mutating func addPlace(in lane: Lane, ofEvent event: String?, from step: Int) {
    guard let state = machine.lanes[lane] else { return }
    if let holder = state.holder { add(.node(holder.run, holder.node), from: step, lane: (lane, isGate: false)) }
    guard !state.isOpen, let gate = state.lane.gateEvent, gate != event, let number = machine.eventNumbers[gate],
      let active = machine.events[number].active
    else { return }
    add(.run(active.id), from: step, lane: (lane, isGate: true))
  }

  private mutating func expand(_ lane: Lane, from step: Int) {
    for entry in machine.lanes[lane]?.live ?? [] { add(.run(entry.id), from: step) }
    addPlace(in: lane, ofEvent: nil, from: step)
  }

  private mutating func addPlace(of task: Int32, lane: Lane?, event: String?, from step: Int) {
    if let lane { addPlace(in: lane, ofEvent: event, from: step) }
    guard let predecessor = machine.predecessors[task] else { return }
    for slot in machine.runs.indices {
      guard let state = machine.runs[slot]?.state, let node = state.plan.node(ofTask: predecessor) else { continue }
      add(.node(RunHandle(slot: slot, id: state.id), node), from: step)
    }
  }

  /// A task that runs once, and has its one run in another occurrence, waits for the end of that.
  private mutating func addOnlyRun(of node: Int, in plan: EventPlan, from step: Int) {
    guard plan.demands[node].contains(.once), machine.marks[Int(plan.tasks[node])].contains(.runningOnce),
      let only = machine.onlyRun(of: plan.tasks[node]),
      machine.runs[only.run.slot]?.state.status[Int(only.node)].hasEnded == false
    else { return }
    add(.node(only.run, only.node), from: step)
  }

  /// What the tasks of a plan will wait for once it is started.
  private mutating func addNeeds(of plan: EventPlan, from step: Int) {
    for external in plan.externals {
      guard let latest = machine.latestRun(of: external.task, besides: nil),
        machine.runs[latest.run.slot]?.state.status[Int(latest.node)].hasEnded == false
      else { continue }
      add(.node(latest.run, latest.node), from: step)
    }
    for node in 0..<plan.count { addOnlyRun(of: node, in: plan, from: step) }
    guard !machine.lanes.isEmpty || !machine.predecessors.isEmpty else { return }
    for node in 0..<plan.count {
      addPlace(
        of: plan.tasks[node], lane: plan.registrations[node].lane, event: plan.event.name, from: step)
    }
  }
}

extension CenterMachine {
  fileprivate func run(of waited: Waited?) -> UInt64? {
    switch waited {
    case .run(let id), .urgent(let id, _): id
    case .node(let handle, _), .worker(let handle, _): handle.id
    case .lane, .module, nil: nil
    }
  }

  func eventName(of waited: Waited) -> String {
    if case .lane(let lane) = waited { return lane.name }
    if case .module(_, let name) = waited { return name }
    guard let id = run(of: waited) else { return "" }
    if let waiting = queued[id] { return events[waiting.event].description.name }
    if let entry = laneEntry(id) { return entry.name.rawValue }
    return handle(ofRun: id).flatMap { runs[$0.slot]?.state.plan.event.name } ?? "an event that has ended"
  }

  /// Makes the plans that the search reads: of events that wait, and of one that is about to.
  private mutating func planQueued(besides event: Int? = nil) {
    guard event != nil || !queued.isEmpty else { return }
    // A plan that shows a circle changes tasks, and so undoes the plans of their other events.
    while let number = events.indices.first(where: { number in
      events[number].plan == nil && (number == event || !events[number].queue.isEmpty)
    }) {
      _ = plan(ofEvent: number)
    }
  }

  private mutating func waitSearch(besides event: Int? = nil) -> WaitSearch {
    planQueued(besides: event)
    return WaitSearch(self)
  }

  /// Why another occurrence of an event would wait for a body that sends it and waits; nil if it would not.
  mutating func chainOfWaiting(fromEvent event: Int, to body: FrameIdentity) -> String? {
    var search = waitSearch(besides: event)
    search.begin(withEvent: event)
    return search.chain(to: body)
  }

  /// Why something would wait for a body that waits for it; nil if it would not.
  mutating func chainOfWaiting(from waited: Waited, to body: FrameIdentity) -> String? {
    var search = waitSearch()
    search.begin(with: waited)
    return search.chain(to: body)
  }

  /// Why the tasks of a plan would wait for a body that starts them and waits; nil if they would not.
  mutating func chainOfWaiting(from plan: EventPlan, named name: String, to body: FrameIdentity) -> String? {
    var search = waitSearch()
    search.begin(with: plan, named: name)
    return search.chain(to: body)
  }

  /// Who waits for sends in the queue of an event, and would be waited for when the next of them has its turn.
  mutating func circles(throughQueueOf event: Int) -> [WaitSearch.Circle] {
    var search = waitSearch(besides: event)
    search.begin(withNextOf: event)
    return search.circles(throughQueueOf: event)
  }

  /// Whether one of several things that are waited for waits for one of several bodies.
  mutating func isAny(of waited: [Waited], waitingFor bodies: [FrameIdentity]) -> Bool {
    var search = waitSearch()
    for waited in waited { search.begin(with: waited) }
    return search.leads(toAnyOf: bodies)
  }

  /// By body, what waits for it: of several things that are waited for, and of what these wait for.
  mutating func whatWaits(for bodies: [FrameIdentity], from waited: [Waited]) -> [Set<Waited>] {
    var search = waitSearch()
    for waited in waited { search.begin(with: waited) }
    return search.beginnings(leadingTo: bodies)
  }
}
