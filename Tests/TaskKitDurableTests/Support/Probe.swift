import Synchronization
import TaskKit
import TaskKitDurable

/// What the bodies of a test's jobs do, and what they have noted, in the order in which they did.
final class Probe: Sendable {
  typealias Body = @Sendable (DurableContext) async throws -> Void

  private struct State {
    var notes: [String] = []
    var bodies: [String: Body] = [:]
    var watchers: [(count: Int, continuation: CheckedContinuation<Void, Never>)] = []
  }

  private let state = Mutex(State())

  var notes: [String] { state.withLock { $0.notes } }

  func note(_ text: String) {
    let watchers = state.withLock { state in
      state.notes.append(text)
      let satisfied = state.watchers.filter { $0.count <= state.notes.count }.map(\.continuation)
      state.watchers.removeAll { $0.count <= state.notes.count }
      return satisfied
    }
    for watcher in watchers { watcher.resume() }
  }

  /// The notes, once there are that many.
  @discardableResult
  func notes(_ count: Int) async -> [String] {
    await withCheckedContinuation { continuation in
      let isSatisfied = state.withLock { state in
        guard state.notes.count < count else { return true }
        state.watchers.append((count, continuation))
        return false
      }
      if isSatisfied { continuation.resume() }
    }
    return notes
  }

  /// What a job of that name does after it has noted its name; nothing, if nothing is said.
  func on(_ name: String, _ body: @escaping Body) { state.withLock { $0.bodies[name] = body } }

  func run(_ name: String, _ context: DurableContext) async throws {
    note(name)
    try await state.withLock { $0.bodies[name] }?(context)
  }

  enum Key: SharedKey { typealias Value = Probe }
}

struct Failure: Error, Equatable, CustomStringConvertible {
  var description: String

  init(_ description: String = "no luck") { self.description = description }
}

extension TaskCenter.Configuration {
  /// Of a center whose complaints are noted.
  static func reporting(to probe: Probe) -> TaskCenter.Configuration {
    var configuration = TaskCenter.Configuration(chance: { 0 })
    configuration.report = { probe.note($0) }
    return configuration
  }
}
