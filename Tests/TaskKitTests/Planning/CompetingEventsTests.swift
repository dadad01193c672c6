import TaskKitTesting
import Testing

@testable import TaskKit

/// The choice among the tasks of several events that are going under a limit, step by step against a naive reading of the
/// law; the same where a test has given each event an order of its own, or all of them one.
@Suite struct CompetingEventsTests {
  /// Whose order it is.
  enum Order: CaseIterable {
    case law, ofEachEvent, acrossEvents
  }

  /// Several events at once: who runs, who has ended, and who has to start next.
  private struct Competition {
    let law: LawCase
    /// By node: its event; those that began earlier have smaller numbers.
    let events: [Int]
    /// By node: its place in the order of its event. Of those of one event that could start the first one does.
    let places: [Int]
    /// Whether that is its place among the nodes of all events.
    private let areAcrossEvents: Bool
    private let effective: [Int]
    private(set) var started: Set<Int> = []
    private var ended: Set<Int> = []
    private var good: Set<Int> = []
    private(set) var running: [Int] = []

    init(_ cases: [LawCase], places: [Int], areAcrossEvents: Bool) {
      law = LawCase(joining: cases)
      events = cases.enumerated().flatMap { index, law in law.nodes.map { _ in index } }
      self.places = places
      self.areAcrossEvents = areAcrossEvents
      effective = law.effectivePriorities
    }

    /// Gives every free slot to whom it belongs.
    mutating func fill(limit: Int) {
      while running.count < limit, let next {
        started.insert(next)
        running.append(next)
      }
    }

    private var next: Int? {
      let ready = law.nodes.indices.filter { node in
        !started.contains(node) && !ended.contains(node) && law.nodes[node].prerequisites.isSubset(of: ended)
          && law.nodes[node].requires.isSubset(of: good)
      }
      if areAcrossEvents { return ready.min { places[$0] < places[$1] } }
      let firsts = Dictionary(grouping: ready) { events[$0] }.values.compactMap { nodes in
        nodes.min { places[$0] < places[$1] }
      }
      return firsts.min { (-effective[$0], events[$0]) < (-effective[$1], events[$1]) }
    }

    mutating func end(_ node: Int) {
      running.removeAll { $0 == node }
      ended.insert(node)
      if !law.nodes[node].fails || law.nodes[node].failureIsIgnored { good.insert(node) } else { skip(for: node) }
    }

    private mutating func skip(for culprit: Int) {
      for (node, value) in law.nodes.enumerated() where value.requires.contains(culprit) && !ended.contains(node) {
        ended.insert(node)
        skip(for: node)
      }
    }
  }

  /// By node: its place in the order of the law.
  private func lawfulPlaces(_ law: LawCase) -> [Int] {
    let effective = law.effectivePriorities
    let order = law.nodes.indices.sorted { (-effective[$0], $0) < (-effective[$1], $1) }
    return law.nodes.indices.map { node in order.firstIndex(of: node) ?? 0 }
  }

  /// By node: its place in some order that the dependencies allow.
  private func drawnPlaces(_ law: LawCase, _ random: inout SeededGenerator) -> [Int] {
    var places: [Int: Int] = [:]
    while let next = law.nodes.indices.filter({ node in
      places[node] == nil && law.nodes[node].prerequisites.allSatisfy { places[$0] != nil }
    }).randomElement(using: &random) {
      places[next] = places.count
    }
    return law.nodes.indices.map { places[$0] ?? 0 }
  }

  @Test(.timeLimit(.minutes(15)), arguments: [1, 2], Order.allCases)
  func `whatever ends, the slot goes to the task that the law puts first among all events`(limit: Int, order: Order)
    async throws
  {
    var random = SeededGenerator(seed: UInt64(3 * limit + (Order.allCases.firstIndex(of: order) ?? 0)))
    for number in 0..<60 {
      let cases = (0..<Int.random(in: 2...6, using: &random)).map { _ in
        LawCase(count: Int.random(in: 1...7, using: &random), random: &random, failures: number % 2 == 0)
      }
      let places =
        switch order {
        case .law: cases.flatMap { lawfulPlaces($0) }
        case .ofEachEvent: cases.flatMap { drawnPlaces($0, &random) }
        case .acrossEvents: drawnPlaces(LawCase(joining: cases), &random)
        }
      let competition = Competition(cases, places: places, areAcrossEvents: order == .acrossEvents)
      if let mistake = try await mistake(competition, limit: limit, order: order, &random) {
        Issue.record("case \(number): \(mistake); events \(competition.events), \(competition.law)")
        return
      }
    }
  }

  private func mistake(
    _ competition: Competition, limit: Int, order: Order, _ random: inout SeededGenerator
  ) async throws -> String? {
    var competition = competition
    let recorder = Recorder()
    let gates = competition.law.nodes.map { _ in Gate() }
    var configuration = TaskCenter.Configuration(maximumConcurrency: limit)
    if order != .law {
      let drawn = Dictionary(grouping: competition.law.nodes.indices) { node in
        LifecycleEvent<Void, Void>.numbered(competition.events[node]).name
      }.mapValues { nodes in
        (names: nodes.map { TaskName(LawCase.name($0)) }, places: nodes.map { competition.places[$0] })
      }
      configuration.startOrder = StartOrder { plan in
        drawn[plan.event].flatMap { drawn in
          drawn.names == plan.names
            ? StartOrder.Places(drawn.places, areAcrossEvents: order == .acrossEvents) : nil
        }
      }
    }
    let center = TaskCenter(configuration: configuration, time: .virtual(VirtualClock()))
    let ends = EventRecorder(center)
    let definitions = competition.law.nodes.enumerated().map { index, node -> TaskDefinition in
      .event(
        .numbered(competition.events[index]), name: TaskName(LawCase.name(index)), priority: Priority(node.priority),
        dependencies: node.requires.sorted().map { TaskDependency(TaskName(LawCase.name($0))) },
        after: node.follows.sorted().map { TaskReference(TaskName(LawCase.name($0))) },
        onFailure: node.failureIsIgnored ? .ignore : .skipDependents
      ) { _ in
        recorder.note(LawCase.name(index))
        await gates[index].pass()
        if node.fails { throw Broken() }
      }
    }
    // They hold every slot until all events have begun.
    let holding = Gate()
    let holders = (0..<limit).map { number -> TaskDefinition in
      .event(.opening, name: "holder \(number)") { _ in await holding.pass() }
    }
    try center.inject(definitions + holders)
    let opening = center.begin(.opening)
    await holding.arrivals(limit)
    let runs = (0...(competition.events.last ?? 0)).map { center.begin(.numbered($0)) }
    holding.open()
    var mistake: String?
    competition.fill(limit: limit)
    while mistake == nil, let ending = competition.running.randomElement(using: &random) {
      let notes = await recorder.notes(competition.started.count)
      let expected = Set(competition.started.map(LawCase.name))
      if Set(notes) != expected { mistake = "started \(notes), not \(expected.sorted())" }
      competition.end(ending)
      gates[ending].open()
      // The next end is another moment, also where nothing starts in this one.
      let outcome = competition.law.nodes[ending].fails ? "failed: broken" : "succeeded"
      await ends.words(until: "taskEnded \(LawCase.name(ending)): \(outcome)")
      competition.fill(limit: limit)
    }
    for gate in gates { gate.open() }
    for run in runs + [opening] { _ = await run.report }
    if mistake == nil, recorder.notes.count != competition.started.count { mistake = "started \(recorder.notes)" }
    return mistake
  }
}
