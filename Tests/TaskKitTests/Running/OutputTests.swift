import TaskKit
import TaskKitTesting
import Testing

/// What tasks return, and who may read it (DESIGN 7: "result"; DESIGN 5: `output(of:)`).
@Suite struct OutputTests {
  @Test(arguments: [Int.max, 1])
  func `a dependent reads the output typed`(limit: Int) async throws {
    let center = TaskCenter(
      registry: try TaskRegistry(tasks: [Load.registration, Show.registration]),
      configuration: .init(maximumConcurrency: limit), time: .virtual(VirtualClock()))
    #expect(await center.send(.alpha).isSuccess)
    #expect(Show.shown.values.contains(42))
    #expect(try await center.output(of: Load.self) == 42)
    #expect(try await center.output(named: "Tests.Load", as: Int.self) == 42)
    #expect(try await center.output(named: "Load", as: Int.self) == 42)
  }

  /// A reader that notes what it reads of one task, or why it cannot.
  private func reader(
    _ name: TaskName, of event: LifecycleEvent<Void, Void> = .alpha, dependencies: [TaskDependency] = [],
    reads: TaskName, _ notes: Recorder
  ) -> TaskDefinition {
    .event(event, name: name, dependencies: dependencies) { context in
      do {
        let output: Int = try context.output(named: reads)
        notes.note("\(output)")
      } catch let error as TaskError {
        notes.note("\(error.code): \(error)")
      }
    }
  }

  @Test func `what is not declared is an error that names the missing declaration`() async throws {
    let notes = Recorder()
    let center = try TaskCenter.with(
      [.event(.alpha, name: "source", returning: { _ in 1 }), reader("reader", reads: "source", notes)], limit: 1)
    await center.send(.alpha)
    #expect(
      notes.notes == [
        "undeclaredOutput: 'reader' reads the output of 'source' without depending on it; add it to 'dependencies:' of "
          + "'reader'"
      ])
  }

  @Test func `so it is by type`() async throws {
    let notes = Recorder()
    let center = try TaskCenter.with(
      [
        .task(Load.self),
        .event(.alpha, name: "by name", dependencies: ["Tests.Load"]) { context in
          notes.note("\(try context.output(of: Load.self))")
        },
        .event(.alpha, name: "reader") { context in
          do { _ = try context.output(of: Load.self) } catch { notes.note("\(error)") }
        },
      ], limit: 1)
    await center.send(.alpha)
    #expect(
      notes.notes == [
        "42",
        "'reader' reads the output of 'Tests.Load' without depending on it; add it to 'dependencies:' of 'reader'",
      ])
  }

  @Test func `a task that returns nothing, or another type, has no such output`() async throws {
    let notes = Recorder()
    let center = try TaskCenter.with(
      [
        .event(.alpha, name: "nothing") { _ in },
        .event(.alpha, name: "text", returning: { _ in "text" }),
        reader("one", dependencies: ["nothing"], reads: "nothing", notes),
        reader("two", dependencies: ["text"], reads: "text", notes),
        .event(.alpha, name: "three", dependencies: ["nothing"]) { context in
          // Nothing is an output of its own: what a task without one returns.
          try context.output(named: "nothing", as: Void.self)
          notes.note("void")
        },
      ], limit: 1)
    await center.send(.alpha)
    #expect(
      notes.notes == [
        "missingOutput: 'nothing' has no output: it returned nothing",
        "missingOutput: 'text' has no output: it returned String, not Int", "void",
      ])
  }

  @Test func `an optional output that is nil is an output, and a missing one is not nil`() async throws {
    let notes = Recorder()
    let center = try TaskCenter.with(
      [
        .event(.alpha, name: "nil", returning: { _ in Int?.none }),
        .event(.alpha, name: "failed", onFailure: .ignore, returning: { _ -> Int? in throw Broken() }),
        .event(.alpha, name: "reader", dependencies: ["nil", "failed"]) { context in
          for name: TaskName in ["nil", "failed"] {
            do {
              let output: Int? = try context.output(named: name)
              notes.note("\(output as Any)")
            } catch {
              notes.note("\(error)")
            }
          }
        },
      ], limit: 1)
    await center.send(.alpha)
    #expect(notes.notes == ["nil", "'failed' has no output: it failed: broken"])
  }

  @Test func `the output of another event's task is that of its latest occurrence`() async throws {
    let notes = Recorder()
    let numbers = LifecycleEvent<Int, Void>("numbers")
    let center = try TaskCenter.with([
      .event(numbers, name: "number", returning: { context in context.payload }),
      reader("reader", dependencies: ["number"], reads: "number", notes),
    ])
    for number in [1, 2] {
      await center.send(numbers, number)
      await center.send(.alpha)
    }
    #expect(notes.notes == ["1", "2"])
  }

  @Test(arguments: [Int.max, 2])
  func `what a body has started after is what it reads, also where that runs again and fails meanwhile`(limit: Int)
    async throws
  {
    let notes = Recorder()
    let numbers = LifecycleEvent<Int, Void>("numbers")
    let gates = [Gate(), Gate(), Gate()]
    let reading = [Gate(), Gate()]
    let center = try TaskCenter.with(
      [
        .event(
          numbers, name: "number",
          returning: { context -> Int in
            await gates[context.payload].pass()
            if context.payload == 1 { throw Broken() }
            return context.payload
          }),
        .event(.alpha, name: "reader", dependencies: ["number"]) { context in
          for gate in reading {
            await gate.pass()
            notes.note("\(try context.output(named: "number", as: Int.self))")
          }
        },
      ], limit: limit)
    gates[0].open()
    await center.send(numbers, 0)
    let first = center.begin(.alpha)
    await reading[0].arrivals()
    let failing = center.begin(numbers, 1)
    await gates[1].arrivals()
    reading[0].open()
    await reading[1].arrivals()
    gates[1].open()
    #expect(await failing.report.outcomes == ["number": "failed: broken"])
    reading[1].open()
    #expect(await first.report.outcomes == ["reader": "succeeded"])
    #expect(notes.notes == ["0", "0"])

    // What it has waited for is no other than what it finds.
    let last = center.begin(numbers, 2)
    await gates[2].arrivals()
    let second = center.begin(.alpha)
    gates[2].open()
    #expect(await last.report.isSuccess)
    #expect(await second.report.outcomes == ["reader": "succeeded"])
    #expect(notes.notes == ["0", "0", "2", "2"])
  }

  @Test func `from outside it is that of the latest occurrence, failed or not`() async throws {
    let fails = Values<Bool>()
    let center = try TaskCenter.with([
      .event(
        .alpha, name: "source",
        returning: { _ -> Int in
          if fails.values.count == 2 { throw Broken() }
          return fails.values.count
        })
    ])
    await #expect(throws: TaskError.self) { try await center.output(named: "source", as: Int.self) }
    fails.append(false)
    await center.send(.alpha)
    #expect(try await center.output(named: "source", as: Int.self) == 1)
    fails.append(true)
    await center.send(.alpha)
    let error = await #expect(throws: TaskError.self) { try await center.output(named: "source", as: Int.self) }
    #expect(error?.description == "'source' has no output: it failed: broken")
    try center.pause("source")
    await center.send(.alpha)
    let skipped = await #expect(throws: TaskError.self) { try await center.output(named: "source", as: Int.self) }
    #expect(skipped?.description == "'source' has no output: it was skipped")
  }

  @Test(arguments: [Int.max, 1])
  func `from outside, a running task is waited for, before its occurrence is over`(limit: Int) async throws {
    let (source, rest) = (Gate(), Gate())
    let center = try TaskCenter.with(
      [
        .event(
          .alpha, name: "source", priority: .high,
          returning: { _ -> Int in
            await source.pass()
            return 7
          }),
        .event(.alpha, name: "rest") { _ in await rest.pass() },
      ], limit: limit)
    let run = center.begin(.alpha)
    await source.arrivals()
    async let output = center.output(named: "source", as: Int.self)
    await waitUntil { center.hasOutputWaiters }
    source.open()
    #expect(try await output == 7)
    #expect(run.progress.ended < 2)
    rest.open()
    #expect(await run.report.isSuccess)
  }

  @Test func `a task of the same occurrence is not waited for without a declaration`() async throws {
    let gate = Gate()
    let notes = Recorder()
    let center = try TaskCenter.with([
      .event(
        .alpha, name: "source",
        returning: { _ -> Int in
          await gate.pass()
          return 7
        }),
      .event(.alpha, name: "reader") { context in
        await gate.arrivals()
        do { _ = try await context.center.output(named: "source", as: Int.self) } catch { notes.note("\(error)") }
        gate.open()
      },
    ])
    #expect(await center.send(.alpha).isSuccess)
    #expect(
      notes.notes == [
        "'reader' reads the output of 'source' without depending on it; add it to 'dependencies:' of 'reader'"
      ])
  }

  @Test func `who waits for a task that is destroyed gets an error`() async throws {
    let gate = Gate()
    let center = try TaskCenter.with([
      .event(.alpha, name: "first") { _ in await gate.pass() },
      .event(.alpha, name: "source", dependencies: ["first"], returning: { _ in 1 }),
    ])
    let run = center.begin(.alpha)
    await gate.arrivals()
    let output = Task { try await center.output(named: "source", as: Int.self) }
    await waitUntil { center.hasOutputWaiters }
    try center.destroy("source")
    await #expect(throws: TaskError.self) { try await output.value }
    gate.open()
    _ = await run.report
  }

  @Test func `a context that has outlived its occurrence reads the latest`() async throws {
    let contexts = Values<TaskContext<Void>>()
    let center = try TaskCenter.with([
      .event(.alpha, name: "source", returning: { _ in 1 }),
      .event(.alpha, name: "reader", dependencies: ["source"]) { context in contexts.append(context) },
    ])
    await center.send(.alpha)
    let context = try #require(contexts.values.first)
    #expect(context.name == "reader")
    #expect(context.event == "alpha")
    #expect(try context.output(named: "source", as: Int.self) == 1)
  }
}
