import Foundation
import Synchronization
import TaskKit
import TaskKitTesting
import Testing

/// Occurrences that one worker may walk through are the same, seen from outside, as those that are decided step by step.
@Suite struct WalkTests {
  enum Form: CaseIterable {
    /// Asynchronous ones do not suspend.
    case synchronous, asynchronous, suspending
  }

  /// Everything that can be seen of three occurrences: each report, and the statistics after all.
  ///
  /// - Parameters:
  ///   - isObserved: an observer makes every step a decision of its own: the slow way to the same end.
  ///   - meddling: the body that starts as that many-th asks the center something.
  private func traces(
    of law: LawCase, limit: Int, form: Form, isObserved: Bool, meddling: Int? = nil
  ) async throws -> [String] {
    let clock = VirtualClock()
    let starts = Atomic(0)
    let inside = Mutex<TaskCenter?>(nil)
    @Sendable func body(_ index: Int) throws {
      // Small enough not to be worth a second worker.
      clock.advance(by: .nanoseconds(index * 7 % 13 + 1))
      if starts.add(1, ordering: .relaxed).oldValue == meddling {
        _ = try inside.withLock { $0 }?.statistics(of: TaskName(LawCase.name(index)))
      }
    }
    let center = try TaskCenter.with(
      law.nodes.enumerated().map { index, node in
        let name = TaskName(LawCase.name(index))
        let priority = Priority(node.priority)
        let dependencies = node.requires.sorted().map { TaskDependency(TaskName(LawCase.name($0))) }
        let after = node.follows.sorted().map { TaskReference(TaskName(LawCase.name($0))) }
        if form != .synchronous, index % 3 != 0 {
          return .event(.alpha, name: name, priority: priority, dependencies: dependencies, after: after) { _ in
            if form == .suspending { await Task.yield() } else { await Task<Never, Never>.doNothing() }
            try body(index)
          }
        }
        return .event(.alpha, name: name, priority: priority, dependencies: dependencies, after: after) { _ in
          try body(index)
        }
      }, limit: limit, clock: clock)
    inside.withLock { $0 = center }
    let observer = isObserved ? center.events.makeAsyncIterator() : nil
    var traces: [String] = []
    for _ in 0..<3 {
      let report = await center.send(.alpha)
      let encoder = JSONEncoder()
      encoder.outputFormatting = .sortedKeys
      traces.append(String(decoding: try encoder.encode(report), as: UTF8.self))
    }
    for index in law.nodes.indices { traces.append("\(try center.statistics(of: TaskName(LawCase.name(index))))") }
    inside.withLock { $0 = nil }
    withExtendedLifetime(observer) {}
    return traces
  }

  @Test(arguments: zip(Form.allCases, [8, 7, 9] as [UInt64]))
  func `reports and statistics are those of a run that is decided step by step, meddled with or not`(
    form: Form, seed: UInt64
  ) async throws {
    var random = SeededGenerator(seed: seed)
    for number in 0..<60 {
      let law = LawCase(count: Int.random(in: 1...30, using: &random), random: &random, failures: false)
      let expected = try await traces(of: law, limit: 1, form: form, isObserved: true)
      let walked = try await traces(of: law, limit: 1, form: form, isObserved: false)
      #expect(walked == expected, "graph \(number)")
      let place = Int.random(in: 0..<3 * law.nodes.count, using: &random)
      let meddled = try await traces(
        of: law, limit: 1, form: form, isObserved: false, meddling: place)
      #expect(meddled == expected, "graph \(number), meddled with at the \(place + 1)th body")
    }
  }

  @Test(arguments: Form.allCases, [1, 2, Int.max])
  func `a chain is walked through from its first occurrence on, with any limit, and comes to the same`(
    form: Form, limit: Int
  ) async throws {
    var random = SeededGenerator(seed: 10)
    for count in 1...8 {
      var law = LawCase(count: count, random: &random, failures: false)
      for index in 0..<count {
        law.nodes[index].requires = index == 0 ? [] : [index - 1]
        law.nodes[index].follows = []
      }
      let expected = try await traces(of: law, limit: limit, form: form, isObserved: true)
      #expect(try await traces(of: law, limit: limit, form: form, isObserved: false) == expected)
      for place in 0..<3 * count {
        let meddled = try await traces(of: law, limit: limit, form: form, isObserved: false, meddling: place)
        #expect(meddled == expected, "\(count) tasks, meddled with at the \(place + 1)th body")
      }
    }
  }

  enum Change: CaseIterable {
    case pause, destroy, cancel, fail, destroyThere
  }

  /// Ten tasks one after the other; the one at a place does something about the next.
  @Test(arguments: Change.allCases, [0, 4, 8])
  func `what a body changes holds for the very next task`(change: Change, place: Int) async throws {
    let recorder = Recorder()
    let inside = Mutex<(center: TaskCenter, sender: Task<EventReport, Never>)?>(nil)
    let definitions = (0..<10).map { index in
      TaskDefinition.event(.alpha, name: TaskName("t\(index)")) { _ in
        recorder.note("t\(index)")
        guard index == place, let (center, sender) = inside.withLock({ $0 }) else { return }
        switch change {
        case .pause: try center.pause(TaskName("t\(index + 1)"))
        case .destroy: try center.destroy(TaskName("t\(index + 1)"))
        case .cancel: sender.cancel()
        case .fail: throw Broken()
        case .destroyThere:
          // From another thread, which is done before this goes on.
          let isDone = DispatchSemaphore(value: 0)
          Thread.detachNewThread {
            try? center.destroy(TaskName("t\(index + 1)"))
            isDone.signal()
          }
          isDone.wait()
        }
      }
    }
    let center = try TaskCenter.with(definitions, limit: 1)
    let isReady = Gate()
    let sender = Task {
      await isReady.pass()
      return await center.send(.alpha)
    }
    inside.withLock { $0 = (center, sender) }
    isReady.open()
    let report = await sender.value
    inside.withLock { $0 = nil }
    let all = (0..<10).map { "t\($0)" }
    switch change {
    case .pause, .destroy, .destroyThere: #expect(recorder.notes == all.filter { $0 != "t\(place + 1)" })
    case .cancel:
      #expect(recorder.notes == Array(all.prefix(place + 1)))
      #expect(report.status == .cancelled)
    case .fail: #expect(recorder.notes == all)
    }
    let next = change == .cancel ? "cancelled" : change == .fail ? "succeeded" : nil
    #expect(change == .pause || report.outcomes["t\(place + 1)"] == next ?? "cancelled")
    #expect(report.outcomes["t\(place)"] == (change == .fail ? "failed: broken" : "succeeded"))
    // And the way is open again.
    let again = await center.send(.alpha)
    #expect(again.status == .completed)
  }

  @Test func `nothing starts after it has been destroyed, whatever else goes on`() async throws {
    for round in 0..<200 {
      let gone = Values<Int>()
      let mistakes = Recorder()
      let definitions = (0..<40).map { index in
        TaskDefinition.event(.alpha, name: TaskName("t\(index)")) { _ in
          if gone.values.contains(index) { mistakes.note("t\(index)") }
        }
      }
      let center = try TaskCenter.with(definitions, limit: 1)
      await withTaskGroup(of: Void.self) { group in
        group.addTask { for _ in 0..<20 { await center.send(.alpha) } }
        group.addTask {
          var random = SeededGenerator(seed: UInt64(round))
          for index in (0..<40).shuffled(using: &random).prefix(20) {
            try? center.destroy(TaskName("t\(index)"))
            await center.destroyed(TaskName("t\(index)"))
            gone.append(index)
          }
        }
      }
      #expect(mistakes.notes.isEmpty)
      #expect(center.usedSlots == 0)
    }
  }

  @Test(arguments: [Int.max, 2, 4])
  func `an asynchronous body that waits this time does not keep others from starting`(limit: Int) async throws {
    let clock = VirtualClock()
    let gates = (0..<4).map { _ in Gate() }
    let recorder = Recorder()
    let occurrence = Atomic(0)
    let center = try TaskCenter.with(
      [
        .event(.alpha, name: "waits", priority: .high) { _ in
          recorder.note("waits")
          let number = occurrence.load(ordering: .relaxed)
          if number >= 2 { await gates[number].pass() }
        },
        .event(.alpha, name: "synchronous") { _ in recorder.note("synchronous") },
        .event(.alpha, name: "opens") { _ in
          await Task<Never, Never>.doNothing()
          recorder.note("opens")
          gates[occurrence.load(ordering: .relaxed)].open()
        },
        .event(.alpha, name: "needs it", dependencies: ["waits"]) { _ in recorder.note("needs it") },
      ], limit: limit, clock: clock)
    for number in 0..<4 {
      occurrence.store(number, ordering: .relaxed)
      let report = await center.send(.alpha)
      #expect(report.isSuccess)
      #expect(recorder.notes.count == 4 * (number + 1))
    }
  }

  @Test(arguments: [Int.max, 2, 4])
  func `nor does one behind another in an ordinary run`(limit: Int) async throws {
    let gate = Gate()
    let isSecond = Atomic(false)
    let center = try TaskCenter.with(
      [
        .event(.alpha, name: "first", priority: .high) { _ in await Task<Never, Never>.doNothing() },
        .event(.alpha, name: "waits", dependencies: ["first"]) { _ in
          if isSecond.load(ordering: .relaxed) { await gate.pass() }
        },
        .event(.alpha, name: "opens", dependencies: ["first"]) { _ in
          if isSecond.load(ordering: .relaxed) { gate.open() }
        },
      ], limit: limit)
    await center.send(.alpha)
    #expect(center.isTiny("alpha") == true)
    isSecond.store(true, ordering: .relaxed)
    #expect(await center.begin(.alpha).report.isSuccess)
  }

  /// The clock begins at 0 as well, which is a time like any other; at place 6 is nobody who asks anything.
  @Test(arguments: [Int.max, 2], [(0, 0), (3, 0), (6, 0), (0, 86_400), (3, 86_400), (6, 86_400)])
  func `an event whose tasks have become long is noticed, whatever one of them does`(
    limit: Int, asking: (place: Int, start: Int)
  )
    async throws
  {
    let clock = VirtualClock()
    let duration = Atomic(0)
    let inside = Values<TaskCenter>()
    let center = try TaskCenter.with(
      (0..<6).map { index in
        .event(.alpha, name: TaskName("t\(index)")) { _ in
          clock.advance(by: .milliseconds(duration.load(ordering: .relaxed)))
          if index == asking.place { _ = inside.values.first?.order(of: .alpha) }
        }
      }, limit: limit, clock: clock)
    // A center counts time from its making.
    clock.advance(by: .seconds(asking.start))
    inside.append(center)
    for _ in 0..<3 { await center.send(.alpha) }
    #expect(center.isTiny("alpha") == true)
    duration.store(50, ordering: .relaxed)
    await center.send(.alpha)
    #expect(center.isTiny("alpha") == false)
    duration.store(0, ordering: .relaxed)
    for _ in 0..<2 { await center.send(.alpha) }
    #expect(center.isTiny("alpha") == true)
  }

  @Test(arguments: [1, Int.max])
  func `a sender that is cancelled already starts nothing`(limit: Int) async throws {
    let recorder = Recorder()
    let center = try TaskCenter.with(
      (0..<3).map { index in .event(.alpha, name: TaskName("t\(index)")) { _ in recorder.note("t\(index)") } },
      limit: limit)
    await center.send(.alpha)
    let report = await Task {
      withUnsafeCurrentTask { $0?.cancel() }
      return await center.send(.alpha)
    }.value
    #expect(report.status == .cancelled)
    #expect(recorder.notes.count == 3)
  }

  @Test func `a task that a body has left behind does not keep what the bodies hold`() async throws {
    final class Held: Sendable {}
    let gate = Gate()
    let left = Mutex<Task<Void, Never>?>(nil)
    weak var held: Held?
    do {
      let strong = Held()
      held = strong
      let center = try TaskCenter.with(
        [
          .event(.alpha, name: "leaves") { _ in left.withLock { $0 = Task { await gate.pass() } } },
          .event(.alpha, name: "holds") { _ in withExtendedLifetime(strong) {} },
        ], limit: 1)
      await center.send(.alpha)
    }
    #expect(held == nil)
    gate.open()
    await left.withLock { $0 }?.value
  }

  @Test(arguments: [1, 2, Int.max])
  func `a sender that is cancelled reaches a body that waits, and nothing starts after it`(limit: Int) async throws {
    for _ in 0..<50 {
      let gate = Gate()
      let isWaiting = Atomic(false)
      let starts = Atomic(0)
      let center = try TaskCenter.with(
        [
          // Ends well although it is cancelled.
          .event(.alpha, name: "waits") { _ in
            if isWaiting.load(ordering: .relaxed) { try? await gate.passUnlessCancelled() }
          },
          .event(.alpha, name: "never", dependencies: ["waits"]) { _ in starts.add(1, ordering: .relaxed) },
          .event(.alpha, name: "never either", dependencies: ["waits"]) { _ in
            await Task<Never, Never>.doNothing()
            starts.add(1, ordering: .relaxed)
          },
        ], limit: limit)
      for _ in 0..<2 { #expect(await center.send(.alpha).isSuccess) }
      isWaiting.store(true, ordering: .relaxed)
      let sender = Task { await center.send(.alpha) }
      await gate.arrivals()
      sender.cancel()
      let report = await sender.value
      #expect(report.status == .cancelled)
      #expect(report.outcomes == ["waits": "succeeded", "never": "cancelled", "never either": "cancelled"])
      #expect(starts.load(ordering: .relaxed) == 4)
    }
  }

  @Test(arguments: [1, 2, Int.max], [false, true])
  func `what is changed while a body waits holds for the next one, and the report comes`(
    limit: Int, isDestroyed: Bool
  ) async throws {
    let gate = Gate()
    let isWaiting = Atomic(false)
    let recorder = Recorder()
    let center = try TaskCenter.with(
      [
        .event(.alpha, name: "waits") { _ in
          if isWaiting.load(ordering: .relaxed) { try await gate.passUnlessCancelled() }
        },
        .event(.alpha, name: "next", after: ["waits"]) { _ in recorder.note("next") },
        .event(.alpha, name: "last", after: ["next"]) { _ in recorder.note("last") },
      ], limit: limit)
    for _ in 0..<2 { #expect(await center.send(.alpha).isSuccess) }
    isWaiting.store(true, ordering: .relaxed)
    async let report = center.send(.alpha)
    await gate.arrivals()
    try center.pause("next")
    if isDestroyed { try center.destroy("waits") } else { gate.open() }
    let outcomes = await report.outcomes
    #expect(outcomes["next"] == "skipped: paused")
    #expect(outcomes["waits"] == (isDestroyed ? "cancelled" : "succeeded"))
    #expect(outcomes["last"] == "succeeded")
    if isDestroyed {
      await center.destroyed("waits")
      #expect(!(await center.send(.alpha).outcomes.keys.contains("waits")))
    }
    try center.resume("next")
    #expect(await center.send(.alpha).isSuccess)
    #expect(recorder.notes.suffix(2) == ["next", "last"])
  }

  @Test func `whoever waits for a walk that is suspended gets its end, and the next send walks again`() async throws {
    let gates = (0..<2).map { _ in Gate() }
    let occurrence = Atomic(0)
    let center = try TaskCenter.with(
      [
        .event(.alpha, name: "waits") { _ in
          let number = occurrence.add(1, ordering: .relaxed).oldValue
          if number < 2 { await gates[number].pass() }
        },
        .event(.alpha, name: "next", dependencies: ["waits"]) { _ in },
      ], limit: 1)
    async let first = center.send(.alpha)
    await gates[0].arrivals()
    // Behind the first one, which they make an ordinary run.
    async let second = center.send(.alpha)
    async let third = center.begin(.alpha).report
    gates[0].open()
    gates[1].open()
    for report in await [first, second, third] { #expect(report.isSuccess && report.taskCount == 2) }
    let last = await center.send(.alpha)
    #expect(last.isSuccess)
    #expect(try center.statistics(of: "next").count == 4)
  }

  @Test func `what a body has left behind is not taken for a body of a later occurrence`() async throws {
    let mayGoOn = Gate()
    let isSending = BlockingGate()
    let statuses = Values<EventReport.Status>()
    let left = Mutex<Task<Void, Never>?>(nil)
    let center = try TaskCenter.with(
      [
        .event(.alpha, name: "leaves") { context in
          let isFirst = left.withLock { $0 == nil }
          guard isFirst else {
            mayGoOn.open()
            // A send from this body would be refused at once; that of the other one waits until this body has returned.
            isSending.pass()
            for _ in 0..<1000 where statuses.values.isEmpty { sched_yield() }
            return
          }
          let center = context.center
          left.withLock { left in
            left = Task {
              await mayGoOn.pass()
              isSending.open()
              statuses.append(await center.send(.alpha).status)
            }
          }
        }
      ], limit: 1)
    await center.send(.alpha)
    await center.send(.alpha)
    await left.withLock { $0 }?.value
    #expect(statuses.values == [.completed])
  }

  @MainActor
  @Test func `on the main actor, begin walks through its own tasks and those of no actor`() async throws {
    let recorder = Recorder()
    let center = try TaskCenter.with([
      .event(.alpha, name: "main") { @MainActor _ in recorder.note("main") },
      .event(.alpha, name: "anywhere") { _ in recorder.note("anywhere") },
      .event(.alpha, name: "last", dependencies: ["main"]) { @MainActor _ in recorder.note("last") },
    ])
    for number in 1...3 {
      let run = center.begin(.alpha)
      #expect(recorder.notes.count == 3 * number)
      #expect(run.progress.ended == 3)
      #expect(await run.report.isSuccess)
    }
    #expect(recorder.notes.prefix(3) == ["main", "anywhere", "last"])
  }
}

extension Task<Never, Never> {
  fileprivate static func doNothing() async {}
}
