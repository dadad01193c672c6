import Foundation
import Synchronization
import TaskKit

/// What the test wants.
private let variables = ProcessInfo.processInfo.environment

/// A line for the test, at once.
func say(_ line: String) {
  try? FileHandle.standardOutput.write(contentsOf: Data("\(line)\n".utf8))
}

/// The processor's time that the process has taken, in milliseconds.
private func processorTime() -> Int {
  var used = timespec()
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &used)
  return used.tv_sec * 1000 + used.tv_nsec / 1_000_000
}

private func threadCount() -> Int {
  (try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/task").count) ?? 0
}

private let termination = LifecycleEvent<Void, Void>.willTerminate
private let warmUp = LifecycleEvent<Void, Void>("warm-up")

/// A center whose tasks of the termination are what the test wants.
private func makeCenter() throws -> TaskCenter {
  let center = TaskCenter()
  let slow = TaskDefinition.event(termination, name: "slow") { _ in
    try await Task.sleep(for: .milliseconds(500))
  }
  let deaf = TaskDefinition.event(termination, name: "deaf") { _ in
    await withUnsafeContinuation { (_: UnsafeContinuation<Void, Never>) in }
  }
  let main = TaskDefinition.event(termination, name: "main", after: ["slow"]) { @MainActor _ in
    MainActor.assertIsolated()
  }
  let asynchronous = TaskDefinition.event(termination, name: "asynchronous", after: ["slow"]) { @MainActor _ in
    await Task.yield()
    MainActor.assertIsolated()
  }
  try center.inject(.event(warmUp, name: "warm") { _ in try await Task.sleep(for: .milliseconds(1)) })
  let tasks = ["slow": slow, "deaf": deaf, "main": main, "asynchronous": asynchronous]
  try center.inject((variables["PROBE_TASKS"] ?? "").split(separator: " ").compactMap { tasks[String($0)] })
  return center
}

/// Waits on the calling thread.
func waitForTasks() {
  do {
    let center = try makeCenter()
    let deadline = variables["PROBE_DEADLINE"].flatMap(Int.init).map { Duration.milliseconds($0) }
    // What is made at its first use, and how long that takes, is not what is asked.
    center.sendAndWait(warmUp, deadline: .seconds(3600))
    let (start, before) = (ContinuousClock.now, processorTime())
    let report = center.sendAndWait(termination, deadline: deadline)
    let used = processorTime() - before
    let passed = ContinuousClock.now - start
    for task in report.tasks.sorted(by: { $0.name.rawValue < $1.name.rawValue }) {
      say("\(task.name): \(task.outcome)")
    }
    say("\(report.status)")
    // Who waits by asking again and again takes as much as there is.
    say(.milliseconds(used * 5) < passed ? "rested" : "took \(used) ms of the processor in \(passed)")
  } catch { say("\(error)") }
}

/// Waits on a thread that is none of the main actor's.
func waitElsewhere() {
  Thread.detachNewThread {
    waitForTasks()
    exit(0)
  }
}

/// How many bytes of memory the process takes.
private func residentSize() throws -> Int {
  let fields = try String(contentsOfFile: "/proc/self/statm", encoding: .utf8).split(separator: " ")
  return (Int(fields[1]) ?? 0) * Int(getpagesize())
}

/// Waits many times on a thread that is none of the main actor's, and looks at what that leaves behind.
func waitOften() {
  Thread.detachNewThread {
    do {
      let center = TaskCenter(configuration: .init(reporting: .problems))
      let often = LifecycleEvent<Void, Void>("often")
      try center.inject(.event(often, name: "asynchronous") { _ in await Task.yield() })
      for _ in 0..<1000 { center.sendAndWait(often) }
      let growth = try (0..<3).map { _ in
        let before = try residentSize()
        for _ in 0..<10_000 { center.sendAndWait(often) }
        return try residentSize() - before
      }
      // Threads that come, and what the allocator keeps for them, are seen once; what each wait leaves is seen each time,
      // and the smallest block takes 32 bytes.
      say(growth.contains { $0 < 300_000 } ? "nothing is left" : "\(growth) bytes are left")
    } catch { say("\(error)") }
    exit(0)
  }
}

private let begun = Atomic(0)

/// Suspends many tasks, and looks at what a center costs that only waits.
func rest() async {
  do {
    let center = TaskCenter()
    let count = 1000
    try center.inject(
      (0..<count).map { number in
        .event(termination, name: "suspended \(number)") { _ in
          begun.add(1, ordering: .relaxed)
          try await Task.sleep(for: .seconds(3600))
        }
      })
    let run = center.begin(termination)
    while begun.load(ordering: .relaxed) < count { await Task.yield() }
    // The system keeps some for each core, for a while.
    let most = 8 + 2 * ProcessInfo.processInfo.activeProcessorCount
    var (used, threads) = (0, 0)
    // What is to be done when the last body has begun takes as long as the machine lets it; what goes on for ever is seen
    // each time.
    for _ in 0..<60 {
      let before = processorTime()
      try await Task.sleep(for: .seconds(1))
      (used, threads) = (processorTime() - before, threadCount())
      if used < 50, threads <= most { break }
    }
    say(used < 50 ? "rested" : "took \(used) ms of the processor")
    say(threads <= most ? "few threads" : "\(threads) threads")
    run.cancel()
    say("\(await run.report.status)")
  } catch { say("\(error)") }
}
