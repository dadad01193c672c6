import Synchronization
import TaskKitDurable

/// A system that gives time in the background when a test says so.
final class FakeScheduler: BackgroundScheduler {
  struct State {
    var requests: [BackgroundTimeRequest] = []
    var handlers: [String: @Sendable (any BackgroundTime) -> Void] = [:]
    var refuses = false
  }

  let state = Mutex(State())
  private let asked = AsyncStream<BackgroundTimeRequest>.makeStream()

  /// The next request.
  func request() async -> BackgroundTimeRequest {
    for await request in asked.stream { return request }
    preconditionFailure("it ends with the test")
  }

  var requests: [BackgroundTimeRequest] { state.withLock { $0.requests } }

  func register(_ identifier: String, _ launch: @escaping @Sendable (any BackgroundTime) -> Void) -> Bool {
    state.withLock { state in
      guard !state.refuses else { return false }
      state.handlers[identifier] = launch
      return true
    }
  }

  func submit(_ request: BackgroundTimeRequest) throws {
    try state.withLock { state in
      guard !state.refuses else { throw Failure() }
      state.requests.append(request)
    }
    asked.continuation.yield(request)
  }

  func launch(_ identifier: String, _ time: any BackgroundTime) { state.withLock { $0.handlers[identifier] }?(time) }
}

/// An app that is given time when it has left the foreground.
final class FakeStay: BackgroundStay {
  private let isRefused: Bool
  private let asked = Mutex<[String]>([])
  private let times = AsyncStream<FakeTime>.makeStream()

  init(isRefused: Bool = false) { self.isRefused = isRefused }

  /// What it was asked for.
  var names: [String] { asked.withLock { $0 } }

  func begin(_ name: String) -> (any BackgroundTime)? {
    asked.withLock { $0.append(name) }
    guard !isRefused else { return nil }
    let time = FakeTime()
    times.continuation.yield(time)
    return time
  }

  /// The next time that is given.
  func begun() async -> FakeTime {
    for await time in times.stream { return time }
    preconditionFailure("it ends with the test")
  }
}

/// Time that is over when a test says so.
final class FakeTime: BackgroundTime {
  private struct State {
    var isOver = false
    var body: (@Sendable () -> Void)?
    var completions: [Bool] = []
  }

  private let state = Mutex(State())
  private let completed = AsyncStream<Bool>.makeStream()
  private let used = AsyncStream<Void>.makeStream()

  /// Returns when somebody uses it, who is told when it is over.
  func begins() async { for await _ in used.stream { return } }

  /// What it was given back with, once it is.
  var completion: Bool? {
    get async {
      var iterator = completed.stream.makeAsyncIterator()
      return await iterator.next()
    }
  }

  var completions: [Bool] { state.withLock { $0.completions } }
  var isGivenBack: Bool { !completions.isEmpty }

  func whenExpired(_ body: @escaping @Sendable () -> Void) {
    let isOver = state.withLock { state in
      state.body = body
      return state.isOver
    }
    used.continuation.yield()
    if isOver { body() }
  }

  func expire() {
    let body = state.withLock { state in
      state.isOver = true
      return state.body
    }
    body?()
  }

  func complete(success: Bool) {
    state.withLock { $0.completions.append(success) }
    completed.continuation.yield(success)
  }
}
