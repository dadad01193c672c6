import Dispatch
import Foundation
import TaskKit

/// What is to be done. A struct, because an array would wrap a bare closure: each engine would be given one that is made for
/// it at that moment.
struct TimerBody: Sendable {
  let run: @Sendable () -> Void
}

/// A way to do many things later.
protocol TimerEngine: AnyObject {
  static var name: String { get }

  init(count: Int)

  /// Arranges that each body runs when as many nanoseconds have passed as `delay` says of it at that moment.
  /// What comes of each is kept in an array that was made before, and is a local one meanwhile: to add to one that others
  /// can see takes 45 ns more each.
  func add(_ bodies: [TimerBody], delay: (Int) -> Int64)
  /// Returns when everything waits: for what goes on adding in the background.
  func settle() async
  func cancelAll()
}

/// Moves an array out of where others can see it.
private func take<Element>(_ array: inout [Element]) -> [Element] {
  var taken: [Element] = []
  swap(&taken, &array)
  return taken
}

/// A call of a center.
final class CallTimers: TimerEngine {
  static let name = "center.after"
  private let center = TaskCenter()
  private var calls: [ScheduledCall] = []

  init(count: Int) { calls.reserveCapacity(count) }

  func add(_ bodies: [TimerBody], delay: (Int) -> Int64) {
    var calls = take(&self.calls)
    for number in bodies.indices { calls.append(center.after(.nanoseconds(delay(number)), bodies[number].run)) }
    self.calls = calls
  }

  func settle() async {}

  func cancelAll() { for call in calls { call.cancel() } }
}

/// A timer of Dispatch each.
final class SourceTimers: TimerEngine {
  static let name = "DispatchSourceTimer"
  private let queue = DispatchQueue.global()
  private var timers: [any DispatchSourceTimer] = []

  init(count: Int) { timers.reserveCapacity(count) }

  func add(_ bodies: [TimerBody], delay: (Int) -> Int64) {
    var timers = take(&self.timers)
    for number in bodies.indices {
      let timer = DispatchSource.makeTimerSource(queue: queue)
      timer.setEventHandler(handler: bodies[number].run)
      let delay = Int(delay(number))
      timer.schedule(deadline: .now() + .nanoseconds(delay))
      timer.resume()
      timers.append(timer)
    }
    self.timers = timers
  }

  func settle() async {}

  func cancelAll() { for timer in timers { timer.cancel() } }
}

/// A sleeping task each.
final class SleepingTimers: TimerEngine {
  static let name = "sleeping Task"
  private let begun = Counter()
  private var tasks: [Task<Void, Never>] = []

  init(count: Int) { tasks.reserveCapacity(count) }

  func add(_ bodies: [TimerBody], delay: (Int) -> Int64) {
    var tasks = take(&self.tasks)
    for number in bodies.indices {
      let (delay, body) = (delay(number), bodies[number])
      let deadline = ContinuousClock.now + .nanoseconds(delay)
      tasks.append(
        Task { [begun] in
          begun.increment()
          do { try await Task.sleep(until: deadline) } catch { return }
          body.run()
        })
    }
    self.tasks = tasks
  }

  func settle() async { await begun.reaches(tasks.count) }

  func cancelAll() { for task in tasks { task.cancel() } }
}

/// Named tasks of a center with a date, injected together; each leaves by its name.
final class ScheduleTimers: TimerEngine {
  static let name = "named schedules"
  private let center = TaskCenter(configuration: .init(reporting: .problems))
  private let names: [TaskName]

  init(count: Int) {
    names = (0..<count).map { TaskName("task \($0)") }
    center.start()
  }

  func add(_ bodies: [TimerBody], delay: (Int) -> Int64) {
    let definitions = names.indices.map { index in
      // A date, because an interval would begin when all of them are there.
      TaskDefinition.schedule(
        .init(at: Date(timeIntervalSinceNow: Double(delay(index)) / 1e9)), name: names[index]
      ) { [body = bodies[index]] _ in body.run() }
    }
    do { try center.inject(definitions) } catch { preconditionFailure("injection failed: \(error)") }
  }

  func settle() async {}

  func cancelAll() {
    for name in names {
      do { try center.destroy(name) } catch { preconditionFailure("destruction failed: \(error)") }
    }
  }
}
