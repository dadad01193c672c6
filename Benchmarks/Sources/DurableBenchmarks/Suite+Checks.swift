#if Durable
import Foundation
import Measuring

extension Suite {
  /// No times: whether every engine has each job that it was given, and none when it has done them, and whether the loop by hand
  /// and a store understand each other's files.
  @concurrent
  static func checks(_ settings: Settings, _ folder: URL) async throws -> Section {
    var section = Section("checks", "what has to be true before a time means anything", columns: ["check", "cases"])
    func add(_ title: String, _ cases: Int) { section.add(title, [("cases", "\(cases)", Double(cases), "")]) }
    let engines = try await engines(settings, in: folder, named: "checks")
    for engine in engines {
      _ = try await engine.enqueue(callers: 8, each: 8)
      let waiting = try await engine.waiting()
      _ = try await engine.work(batch: 10)
      let left = try await engine.waiting()
      if (waiting, left) != (64, 0) {
        section.note(mistake: "\(engine.name): \(waiting) of 64 jobs waited, \(left) were left")
      }
      try await engine.close()
    }
    add("every job waits, and is done", engines.count)

    let file = folder.appending(path: "checks-shared.sqlite")
    let loop = try await HandLoop(at: file)
    _ = loop.enqueue(callers: 16, each: 4)
    let store = try await StoreEngine(at: file)
    let written = try await store.waiting()
    _ = try await store.enqueue(callers: 16, each: 1)
    _ = try await store.exchange([], batch: 8)
    let done = loop.exchange(batch: 100) + loop.exchange(batch: 100)
    let left = try await store.waiting()
    if (written, done, left) != (64, 72, 8) {
      section.note(
        mistake: "a store saw \(written) of 64 jobs of the loop, which did \(done) of 72, and saw \(left) of 8")
    }
    await store.close()
    add("a store and the loop do each other's jobs", 2)
    return section
  }
}
#endif
