import TaskKit
import TaskKitDurable
import TaskKitTesting
import Testing

@Suite struct EventTests {
  @Test func `what this process does to jobs is told, with what was meant and how many they were`() async throws {
    let bench = try JobBench(Work.self)
    var events = bench.center.jobs.events().makeAsyncIterator()
    let ids = try await bench.center.enqueue([Work("a"), Work("b"), Work("c")], EnqueueOptions(tags: ["t"]))
    let jobs = bench.center.jobs
    try await jobs.cancel(ids[0])
    try await jobs.hold(where: JobSelection(tags: ["t"]), because: "wait")
    try await jobs.release { $0.id == ids[2] }
    // There is nothing that it could change.
    try await jobs.cancel(ids[0])
    try await jobs.delete(where: .all)
    var told: [JobSelection] = []
    var changes: [String] = []
    while told.count < 4, let event = await events.next() {
      guard case .changed(let selection, let change, let count) = event.kind else { continue }
      told.append(selection)
      changes.append("\(change) \(count)")
    }
    #expect(told == [JobSelection(ids: [ids[0]]), JobSelection(tags: ["t"]), JobSelection(ids: [ids[2]]), .all])
    #expect(changes == ["cancel 1", "hold(\"wait\", until: []) 2", "release 1", "delete 3"])
  }

  @Test func `observers of counts and of a job see what another process does`() async throws {
    let first = try JobBench(Work.self)
    let second = try JobBench(Work.self, store: MemoryStore(sharing: first.store))
    try await second.center.jobs.open()
    var counts = first.center.jobs.updates().makeAsyncIterator()
    #expect(await counts.next() == [])
    let id = try await second.center.enqueue(Work("a"), .delayed(.seconds(9)))
    #expect(await counts.next()?.map(\.state) == [.delayed])
    var states = first.center.jobs.updates(of: id).makeAsyncIterator()
    #expect(await states.next()?.state == .delayed)
    try await second.center.jobs.hold(id, because: "elsewhere")
    #expect(await states.next()?.hold == .asked("elsewhere"))
    try await second.center.jobs.cancel(id)
    #expect(await states.next()?.state == .cancelled)
    #expect(await states.next() == nil)
  }

  @Test func `a slow observer is told how much it lost, at the end too, and nothing of what came before is missing`()
    async throws
  {
    let bench = try JobBench(Work.self)
    let events = bench.center.jobs.events(buffering: 3)
    for number in 1...5 { try await bench.center.enqueue(Work("\(number)")) }
    await bench.center.terminate()
    #expect(await words(events) == ["1", "2", "3", "lost 2"])
  }

  @Test func `an observer that catches up is told at once how much it lost`() async throws {
    let bench = try JobBench(Work.self)
    var events = bench.center.jobs.events(buffering: 2).makeAsyncIterator()
    for number in 1...4 { try await bench.center.enqueue(Work("\(number)")) }
    var told: [String] = []
    while told.count < 3, let event = await events.next() { told.append(word(event)) }
    #expect(told == ["1", "2", "lost 2"])
    try await bench.center.enqueue(Work("5"))
    #expect(await events.next().map(word) == "5")
  }

  @Test func `observers come and go, and each is told of what happens meanwhile`() async throws {
    let bench = try JobBench(Work.self)
    let all = bench.center.jobs.events()
    do {
      var gone = bench.center.jobs.events(buffering: 2).makeAsyncIterator()
      try await bench.center.enqueue(Work("a"))
      #expect(await gone.next().map(word) == "1")
    }
    let waiting = _Concurrency.Task { await words(bench.center.jobs.events()) }
    waiting.cancel()
    #expect(await waiting.value == [])
    try await bench.center.enqueue(Work("b"))
    await bench.center.terminate()
    #expect(await words(all) == ["1", "2"])
    #expect(await words(bench.center.jobs.events()) == [])
  }

  private func words(_ events: AsyncStream<JobEvent>) async -> [String] {
    var words: [String] = []
    for await event in events { words.append(word(event)) }
    return words
  }

  private func word(_ event: JobEvent) -> String {
    switch event.kind {
    case .enqueued(let id, _): "\(id)"
    case .lost(let count): "lost \(count)"
    default: "\(event.kind)"
    }
  }
}
