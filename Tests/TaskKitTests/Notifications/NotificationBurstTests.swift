import Foundation
import TaskKit
import TaskKitTesting
import Testing

/// Bursts of notifications: each policy, and that no sender gets into the bursts of another (R58).
@Suite struct NotificationBurstTests {
  private final class Shop: Sendable {}

  private static let sale = Notification.Name("Sale")

  /// What it does with a burst, and what then runs of six notifications: two at once of each of two senders, and when what
  /// they began has ended, another one of each.
  struct Case: CustomTestStringConvertible, Sendable {
    let policy: BurstPolicy
    /// Of those that one sender posts.
    let notes: [String]
    var testDescription: String { "\(policy)" }
  }

  static let cases = [
    Case(policy: .queue, notes: ["begin 1", "end 1", "begin 2", "end 2", "begin 3", "end 3", "begin 4", "end 4"]),
    Case(policy: .coalesce, notes: ["begin 1", "end 1", "begin 3", "end 3", "begin 4", "end 4"]),
    Case(policy: .drop, notes: ["begin 1", "end 1", "begin 4", "end 4"]),
    Case(policy: .replace, notes: ["begin 1", "cancelled 1", "begin 3", "end 3", "begin 4", "end 4"]),
    Case(policy: .debounce(.seconds(5)), notes: ["begin 3", "end 3", "begin 4", "end 4"]),
  ]

  private static func task(
    _ name: TaskName, sender: Shop?, policy: BurstPolicy, gate: Gate, recorder: Recorder
  ) -> TaskDefinition {
    .notification(sale, name: name, sender: sender, burst: policy) { context in
      let number = context.payload.value("number", as: Int.self) ?? 0
      recorder.note("begin \(number)")
      do {
        try await gate.passUnlessCancelled()
        recorder.note("end \(number)")
      } catch { recorder.note("cancelled \(number)") }
    }
  }

  @Test(arguments: cases, [1, 2])
  func `each policy does with the notifications of a name, or of each sender, what it says`(
    test: Case, senders: Int
  ) async throws {
    let time = VirtualTime()
    let notifications = NotificationCenter()
    var configuration = TaskCenter.Configuration()
    configuration.notificationCenter = notifications
    let center = TaskCenter(configuration: configuration, time: time.source)
    let shops = (0..<senders).map { _ in Shop() }
    let gates = shops.map { _ in Gate() }
    let recorders = shops.map { _ in Recorder() }
    for (index, shop) in shops.enumerated() {
      try center.inject(
        Self.task(
          "\(index)", sender: senders == 1 ? nil : shop, policy: test.policy, gate: gates[index],
          recorder: recorders[index]))
    }
    center.start()
    func post(_ number: Int) {
      for shop in shops { notifications.post(name: Self.sale, object: shop, userInfo: ["number": number]) }
    }
    let isDebounced = test.policy == .debounce(.seconds(5))
    post(1)
    if !isDebounced { for gate in gates { await gate.arrivals() } }
    post(2)
    post(3)
    if isDebounced { await time.continuous.step(to: .seconds(5)) }
    // Each in its own time: one is still at it when the other has ended.
    for (gate, recorder) in zip(gates, recorders) {
      if test.policy != .replace { #expect(await recorder.notes(1).count == 1) }
      gate.open()
      let count = test.notes.count - 2
      #expect(await recorder.notes(count) == Array(test.notes.prefix(count)))
    }
    await center.quiet()
    post(4)
    if isDebounced { await time.continuous.step(to: .seconds(10)) }
    for recorder in recorders { #expect(await recorder.notes(test.notes.count) == test.notes) }
    await center.quiet()
    for recorder in recorders { #expect(recorder.notes.count == test.notes.count) }
  }

  @MainActor @Test(arguments: [false, true])
  func `what the only task of a name says of bursts holds from its coming on, also on the main actor`(
    isReplacing: Bool
  ) async throws {
    let time = VirtualTime()
    let recorder = Recorder()
    var configuration = TaskCenter.Configuration()
    configuration.notificationCenter = NotificationCenter()
    let center = TaskCenter(configuration: configuration, time: time.source)
    func task(_ name: TaskName, _ burst: BurstPolicy) -> TaskDefinition {
      .notification(Self.sale, name: name, burst: burst) { context in
        recorder.note("\(name) \(context.payload.value("number", as: Int.self) ?? 0)")
      }
    }
    func post(_ number: Int) {
      configuration.notificationCenter.post(name: Self.sale, object: nil, userInfo: ["number": number])
    }
    try center.inject(task("search", .queue))
    center.start()
    post(1)
    post(2)
    #expect(recorder.notes == ["search 1", "search 2"])
    if !isReplacing { try center.destroy("search") }
    try center.inject(task("search", .debounce(.seconds(5))), replacing: isReplacing)
    post(3)
    post(4)
    #expect(recorder.notes.count == 2)
    await time.continuous.step(to: .seconds(5))
    #expect(await recorder.notes(3).last == "search 4")
    await center.quiet()
    #expect(recorder.notes.count == 3)
    // Whoever comes after it has to agree with it, and with nobody else.
    #expect(center.soundness(of: [task("other", .debounce(.seconds(5)))], replacing: false) == (true, true))
    #expect(center.soundness(of: [task("other", .queue)], replacing: false) == (false, false))
    #expect(center.soundness(of: [task("search", .drop)], replacing: true) == (true, true))
    #expect(
      center.soundness(of: [task("search", .drop), task("other", .queue)], replacing: true) == (false, false))
  }

  @Test(arguments: [false, true])
  func `what waits for a quiet time comes first when a task of another policy takes the place`(
    isReplacing: Bool
  ) async throws {
    let time = VirtualTime()
    let recorder = Recorder()
    var configuration = TaskCenter.Configuration()
    configuration.notificationCenter = NotificationCenter()
    let center = TaskCenter(configuration: configuration, time: time.source)
    func task(_ burst: BurstPolicy) -> TaskDefinition {
      .notification(Self.sale, name: "search", burst: burst) { context in
        await Task.yield()
        recorder.note("search \(context.payload.value("number", as: Int.self) ?? 0)")
      }
    }
    func post(_ number: Int) {
      configuration.notificationCenter.post(name: Self.sale, object: nil, userInfo: ["number": number])
    }
    try center.inject(task(.debounce(.seconds(5))))
    center.start()
    post(1)
    if !isReplacing { try center.destroy("search") }
    try center.inject(task(.queue), replacing: isReplacing)
    post(2)
    // The clock stands still.
    #expect(await recorder.notes(2) == ["search 1", "search 2"])
    await center.quiet()
    #expect(recorder.notes.count == 2)
  }
}
