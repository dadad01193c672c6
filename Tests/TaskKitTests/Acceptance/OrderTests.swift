import TaskKit
import Testing

/// The law of order as RWTaskKit promised it and did not keep it (Rt1-Rt3, Rw1).
@Suite struct OrderTests {
  @Test(arguments: [Int.max, 1])
  func `a low prerequisite runs before a critical dependent, Rt1`(limit: Int) async throws {
    let recorder = Recorder()
    let center = try TaskCenter.with(
      [
        .event(.alpha, name: "urgent", priority: .critical, dependencies: ["base"]) { _ in recorder.note("urgent") },
        .event(.alpha, name: "base", priority: .low) { _ in
          await Task.yield()
          recorder.note("base")
        },
      ], limit: limit)
    #expect(await center.send(.alpha).isSuccess)
    #expect(recorder.notes == ["base", "urgent"])
  }

  @Test func `critical, high, default, low, and equals as they were declared, in 1000 shuffles, Rt2`() async throws {
    var random = SeededGenerator(seed: 2)
    let levels: [Priority] = [.critical, .high, .default, .low]
    let tasks = levels.flatMap { level in (0..<4).map { (name: "\(level)\($0)", priority: level) } }
    for _ in 0..<1000 {
      let declared = tasks.shuffled(using: &random)
      let center = try TaskCenter.with(
        declared.map { task in .event(.alpha, name: TaskName(task.name), priority: task.priority) { _ in } }, limit: 1)
      let expected = levels.flatMap { level in declared.filter { $0.priority == level }.map(\.name) }
      #expect(await center.send(.alpha).names == expected)
    }
  }

  @Test(arguments: [Int.max, 2, 1])
  func `in a diamond each runs once, and both in the middle before the last, Rt3`(limit: Int) async throws {
    let recorder = Recorder()
    func task(_ name: TaskName, _ dependencies: [TaskDependency] = []) -> TaskDefinition {
      .event(.alpha, name: name, dependencies: dependencies) { _ in
        await Task.yield()
        recorder.note(name.rawValue)
      }
    }
    let center = try TaskCenter.with(
      [task("last", ["left", "right"]), task("left", ["first"]), task("right", ["first"]), task("first")], limit: limit)
    #expect(await center.send(.alpha).isSuccess)
    #expect(recorder.notes.first == "first")
    #expect(recorder.notes.dropFirst().dropLast().sorted() == ["left", "right"])
    #expect(recorder.notes.last == "last")
  }
}
