import Foundation
import Synchronization

/// Sees whether an engine keeps its promises: bodies that write down when and where they ran, outside of what is timed.
final class Recorder: Sendable {
  /// What one body wrote down.
  struct Entry: Sendable {
    var runs = 0
    var began = 0
    var ended = 0
    var thread: ObjectIdentifier?
  }

  private let entries: Mutex<[Entry]>
  private let clock = Atomic(0)

  init(count: Int) {
    entries = Mutex(Array(repeating: Entry(), count: count))
  }

  /// Bodies that write themselves down.
  static func work(_ count: Int, isAsynchronous: Bool) -> (Recorder, Work) {
    let recorder = Recorder(count: count)
    let work =
      isAsynchronous
      ? Work(
        bodies: (0..<count).map { task in Work.Body { recorder.record(task) } },
        asyncBodies: (0..<count).map { task in
          Work.AsyncBody {
            let began = recorder.tick()
            if task.isMultiple(of: 2) { await Task.yield() }
            recorder.record(task, began: began)
          }
        })
      : Work(bodies: (0..<count).map { task in Work.Body { recorder.record(task) } })
    return (recorder, work)
  }

  private func tick() -> Int { clock.add(1, ordering: .sequentiallyConsistent).newValue }

  private func record(_ task: Int, began: Int? = nil) {
    let began = began ?? tick()
    let thread = ObjectIdentifier(Thread.current)
    let ended = tick()
    entries.withLock { entries in
      entries[task].runs += 1
      entries[task].began = began
      entries[task].ended = ended
      entries[task].thread = thread
    }
  }

  /// On how many threads the latest pass ran.
  var threadCount: Int {
    Set(entries.withLock { $0.compactMap(\.thread) }).count
  }

  /// What went wrong: nil if each body ran as often as said, none of them before one that it depends on had ended.
  func mistake(in graph: BenchmarkGraph, runs: Int) -> String? {
    let entries = entries.withLock { $0 }
    for task in entries.indices {
      if entries[task].runs != runs { return "task \(task) ran \(entries[task].runs) times instead of \(runs)" }
      for other in graph.prerequisites[task] where entries[Int(other)].ended >= entries[task].began {
        return "task \(task) began before \(other), on which it depends, had ended"
      }
    }
    return nil
  }

  /// Whether it sees an order that is wrong and a body that ran twice: nil if it does.
  static func mistakeOfItsOwn() -> String? {
    let graph = BenchmarkGraph(.chain, count: 3)
    for (order, what) in [([0, 2, 1], "a wrong order"), ([0, 1, 1, 2], "a body that ran twice")] {
      let (recorder, work) = Recorder.work(graph.count, isAsynchronous: false)
      for task in order { try? work.bodies[task].run() }
      if recorder.mistake(in: graph, runs: 1) == nil { return "the recorder did not see \(what)" }
    }
    return nil
  }
}
