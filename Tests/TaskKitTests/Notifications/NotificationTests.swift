import Foundation
import TaskKit
import TaskKitTesting
import Testing

/// Notification tasks (R50–R52, R58, R61, Rt24, Rt25).
@Suite struct NotificationTests {
  private final class Shop: Sendable {}
  /// May not be passed between threads.
  private final class Till {}

  /// A center with a notification center of its own.
  private func center(
    _ definitions: [TaskDefinition], limit: Int = .max, time: VirtualTime = VirtualTime()
  ) throws -> (TaskCenter, NotificationCenter) {
    let notifications = NotificationCenter()
    var configuration = TaskCenter.Configuration(maximumConcurrency: limit)
    configuration.notificationCenter = notifications
    let center = TaskCenter(configuration: configuration, time: time.source)
    try center.inject(definitions)
    return (center, notifications)
  }

  @Test func `a task gets the name, the sender and what was posted, Rt24`() async throws {
    let recorder = Recorder()
    let (center, notifications) = try center([
      .notification("PricesChanged", name: "totals") { context in
        let notification = context.payload
        recorder.note("\(notification.name.rawValue) \(notification.value("price", as: Int.self) ?? 0)")
        recorder.note("from a shop: \(notification.sender(as: Shop.self) != nil)")
        recorder.note("as text: \(notification.value("price", as: String.self) ?? "none")")
        // What may be nil is not there either where nobody has posted it.
        recorder.note("missing: \(notification.value("missing", as: Int?.self).map { _ in "there" } ?? "none")")
        recorder.note("keys: \(notification.keys.sorted())")
      }
    ])
    center.start()
    notifications.post(name: .init("PricesChanged"), object: Shop(), userInfo: ["price": 3, "when": "now"])
    #expect(
      await recorder.notes(5) == [
        "PricesChanged 3", "from a shop: true", "as text: none", "missing: none", "keys: [\"price\", \"when\"]",
      ])
  }

  @Test func `nothing is given out as what everything is, be it fit for another thread or not`() async throws {
    let recorder = Recorder()
    let (center, notifications) = try center([
      .notification("PricesChanged", name: "totals") { context in
        let notification = context.payload
        let value = notification.value("till", as: (any Sendable).self)
        recorder.note("value: \(value.map { _ in "there" } ?? "none")")
        let sender = notification.sender(as: (any Sendable).self)
        recorder.note("sender: \(sender.map { _ in "there" } ?? "none")")
        let object = notification.sender(as: (any AnyObject & Sendable).self)
        recorder.note("as an object: \(object.map { _ in "there" } ?? "none")")
        let optional = notification.value("till", as: (any Sendable)?.self)
        recorder.note("as one that may be nil: \(optional.map { _ in "there" } ?? "none")")
      }
    ])
    center.start()
    notifications.post(name: .init("PricesChanged"), object: Till(), userInfo: ["till": Till()])
    #expect(
      await recorder.notes(4) == [
        "value: none", "sender: none", "as an object: none", "as one that may be nil: none",
      ])
  }

  private static let returning: [(String, @Sendable () -> TaskDefinition)] = [
    ("synchronous", { .notification("News", name: "count", returning: { _ in 42 }) }),
    ("on the main actor", { .notification("News", name: "count", returning: { @MainActor _ in 42 }) }),
    ("by a typed name", { .notification(Notification.Name("News"), name: "count", returning: { _ in 42 }) }),
    (
      "asynchronous",
      {
        .notification(
          "News", name: "count",
          returning: { _ in
            await Task.yield()
            return 42
          })
      }
    ),
    (
      "asynchronous, by a typed name",
      {
        .notification(
          Notification.Name("News"), name: "count",
          returning: { _ in
            await Task.yield()
            return 42
          })
      }
    ),
  ]

  @Test(arguments: returning)
  func `an injected task has an output that its dependents read (R50)`(
    definition: (String, @Sendable () -> TaskDefinition)
  ) async throws {
    let recorder = Recorder()
    let (center, notifications) = try center([
      definition.1(),
      .notification("News", name: "show", dependencies: ["count"]) { context in
        recorder.note("\(try context.output(named: "count", as: Int.self))")
      },
    ])
    center.start()
    notifications.post(name: .init("News"), object: nil)
    #expect(await recorder.notes(1) == ["42"])
    #expect(try await center.output(named: "count", as: Int.self) == 42)
  }

  @Test func `several tasks of one name run by dependency, then priority, Rt24`() async throws {
    let recorder = Recorder()
    let (center, notifications) = try center(
      [
        .notification("News", name: "low", priority: .low) { _ in recorder.note("low") },
        .notification("News", name: "high", priority: .high) { _ in recorder.note("high") },
        .notification("News", name: "needy", priority: .critical, dependencies: ["low"]) { _ in recorder.note("needy")
        },
        .notification("Other", name: "other") { _ in recorder.note("other") },
      ], limit: 1)
    center.start()
    notifications.post(name: .init("News"), object: nil)
    // What a critical task needs is critical itself.
    #expect(await recorder.notes(3) == ["low", "needy", "high"])
    await center.quiet()
    #expect(recorder.notes.count == 3)
  }

  @Test func `a sender filter lets only its own notifications through, and those of others begin nothing, Rt24`()
    async throws
  {
    let recorder = Recorder()
    let shop = Shop()
    let (center, notifications) = try center([
      .notification("News", name: "own", sender: shop) { _ in recorder.note("own") },
      .notification("Sale", name: "sale of one", sender: shop) { _ in recorder.note("sale of one") },
      .notification("Sale", name: "every sale") { _ in recorder.note("every sale") },
    ])
    center.start()
    let events = center.events.makeAsyncIterator()
    notifications.post(name: .init("News"), object: Shop())
    notifications.post(name: .init("News"), object: nil)
    notifications.post(name: .init("Sale"), object: Shop())
    #expect(await recorder.notes(1) == ["every sale"])
    await center.quiet()
    let words = await events.words(until: "eventEnded @NotificationTask(Sale)")
    #expect(words.first == "eventStarted @NotificationTask(Sale)")
    #expect(!words.contains { $0.contains("sale of one") })
    notifications.post(name: .init("News"), object: shop)
    #expect(await recorder.notes(2) == ["every sale", "own"])
    notifications.post(name: .init("Sale"), object: shop)
    #expect(await recorder.notes(4).suffix(2).sorted() == ["every sale", "sale of one"])
  }

  /// A sender and anybody are two events; a notification of the sender is an occurrence of both.
  @Test(arguments: [
    (own: Priority.default, all: Priority.default, order: ["own", "all"]), (.low, .default, ["all", "own"]),
    (.high, .default, ["own", "all"]),
  ])
  func `tasks of a sender and of anybody begin by priority`(
    own: Priority, all: Priority, order: [String]
  ) async throws {
    let recorder = Recorder()
    let shop = Shop()
    let (center, notifications) = try center(
      [
        .notification("Sale", name: "all", priority: all) { _ in recorder.note("all") },
        .notification("Sale", name: "own", priority: own, sender: shop) { _ in recorder.note("own") },
      ], limit: 1)
    center.start()
    await MainActor.run { notifications.post(name: .init("Sale"), object: shop) }
    #expect(await recorder.notes(2) == order)
  }

  @Test(arguments: [true, false]) func `and by what they wait for`(ownWaits: Bool) async throws {
    let recorder = Recorder()
    let gate = Gate()
    let shop = Shop()
    let (center, notifications) = try center([
      .notification("Sale", name: "own", priority: .high, sender: shop, dependencies: ownWaits ? ["all"] : []) { _ in
        if !ownWaits { await gate.pass() }
        recorder.note("own")
      },
      .notification("Sale", name: "all", dependencies: ownWaits ? [] : ["own"]) { _ in
        if ownWaits { await gate.pass() }
        recorder.note("all")
      },
    ])
    center.start()
    notifications.post(name: .init("Sale"), object: shop)
    await gate.arrivals()
    gate.open()
    #expect(await recorder.notes(2) == (ownWaits ? ["all", "own"] : ["own", "all"]))
    // Of somebody else's, what the sender's task came to last still counts.
    await center.quiet()
    notifications.post(name: .init("Sale"), object: nil)
    #expect(await recorder.notes(3).last == "all")
  }

  @Test func `tasks that wait for each other across senders are refused`() throws {
    let shop = Shop()
    let error = #expect(throws: TaskGraphError.self) {
      _ = try center([
        .notification("Sale", name: "own", sender: shop, dependencies: ["all"]) { _ in },
        .notification("Sale", name: "all", dependencies: ["own"]) { _ in },
      ])
    }
    #expect(error?.sentences.count == 1)
    #expect(error?.sentences.first?.contains("wait for each other") == true)
  }

  @Test func `a sender is let go of with the last of its tasks`() async throws {
    weak var gone: Shop?
    let (center, notifications) = try center([])
    center.start()
    do {
      let shop = Shop()
      gone = shop
      try center.inject([
        .notification("Sale", name: "one", sender: shop) { _ in },
        .notification("Sale", name: "two", sender: shop) { _ in },
      ])
      notifications.post(name: .init("Sale"), object: shop)
      await center.quiet()
    }
    try center.destroy("one")
    #expect(gone != nil)
    try center.destroy("two")
    await center.quiet()
    #expect(gone == nil)
  }

  @Test(.timeLimit(.minutes(2)))
  func `a sender is let go of where its last task goes while a burst is waited for`() async throws {
    weak var gone: Shop?
    let time = VirtualTime()
    let (center, notifications) = try center([], time: time)
    center.start()
    do {
      let shop = Shop()
      gone = shop
      try center.inject(
        .notification("Sale", name: "one", sender: shop, burst: .debounce(.seconds(1))) { _ in })
      notifications.post(name: .init("Sale"), object: shop)
    }
    try center.destroy("one")
    await time.advance(by: .seconds(2), driving: center)
    await waitUntil { gone == nil }
    #expect(gone == nil)
  }

  @Test func `who has posted is let go of when the tasks have ended, and what was posted is there for a run by hand`()
    async throws
  {
    weak var gone: Shop?
    let recorder = Recorder()
    let (center, notifications) = try center([
      .notification("Sale", name: "all") { context in
        let sender = context.payload.sender(as: Shop.self) == nil ? "nobody" : "a shop"
        recorder.note("\(context.payload.value("price", as: Int.self) ?? 0) from \(sender)")
      }
    ])
    center.start()
    do {
      let shop = Shop()
      gone = shop
      try center.inject(.notification("Sale", name: "own", sender: shop) { _ in })
      notifications.post(name: .init("Sale"), object: shop, userInfo: ["price": 3])
      _ = await recorder.notes(1)
      await center.quiet()
      try center.destroy("own")
    }
    await waitUntil { gone == nil }
    try await center.run("all")
    #expect(recorder.notes == ["3 from a shop", "3 from nobody"])
  }

  @Test func `an observer that has read nothing yet holds nobody who has posted`() async throws {
    weak var gone: Shop?
    let recorder = Recorder()
    let (center, notifications) = try center([.notification("Sale", name: "all") { _ in recorder.note("all") }])
    let events = center.events.makeAsyncIterator()
    center.start()
    do {
      let shop = Shop()
      gone = shop
      notifications.post(name: .init("Sale"), object: shop)
      #expect(await recorder.notes(1) == ["all"])
      await center.quiet()
    }
    await waitUntil { gone == nil }
    #expect(gone == nil)
    // What it reads in the end is whole.
    let words = await events.words(until: "eventEnded @NotificationTask(Sale)")
    #expect(words.first == "eventStarted @NotificationTask(Sale)")
  }

  @Test func `of notifications at which no task is left nothing is kept`() async throws {
    let recorder = Recorder()
    let (center, notifications) = try center([])
    center.start()
    for number in 1...12 {
      try center.inject(.notification("Done \(number)", name: "wait") { _ in recorder.note("done") })
      notifications.post(name: .init("Done \(number)"), object: nil)
      _ = await recorder.notes(number)
      await center.quiet()
      try center.destroy("wait")
    }
    #expect(center.knownEvents == 0)
  }

  @Test func `nothing is heard before the center is started, nor after a task is destroyed`() async throws {
    let recorder = Recorder()
    let (center, notifications) = try center([.notification("News", name: "news") { _ in recorder.note("news") }])
    notifications.post(name: .init("News"), object: nil)
    center.start()
    notifications.post(name: .init("News"), object: nil)
    #expect(await recorder.notes(1) == ["news"])
    await center.quiet()
    try center.destroy("news")
    notifications.post(name: .init("News"), object: nil)
    await center.quiet()
    #expect(recorder.notes == ["news"])
  }

  @Test func `it can be injected, paused, resumed and destroyed, Rt25`() async throws {
    let recorder = Recorder()
    let (center, notifications) = try center([])
    center.start()
    func post() async {
      notifications.post(name: .init("News"), object: nil)
      await center.quiet()
    }
    try center.inject(.notification("News", name: "news") { _ in recorder.note("first") })
    await post()
    try center.pause("news")
    await post()
    try center.resume("news")
    await post()
    try center.pause("news", missed: .deliver)
    await post()
    await post()
    try center.resume("news")
    await center.quiet()
    try center.inject(.notification("News", name: "news") { _ in recorder.note("second") }, replacing: true)
    await post()
    try center.destroy("news")
    await post()
    #expect(recorder.notes == ["first", "first", "first", "second"])
  }

  @MainActor @Test func `posted on the main actor, what is synchronous has run when the post returns`() async throws {
    let recorder = Recorder()
    let gate = Gate()
    let (center, notifications) = try center([
      .notification("News", name: "main") { @MainActor _ in recorder.note("main") },
      .notification("News", name: "anywhere", priority: .low) { _ in recorder.note("anywhere") },
      .notification("News", name: "later", priority: .high) { _ in
        await gate.pass()
        recorder.note("later")
      },
    ])
    center.start()
    notifications.post(name: .init("News"), object: nil)
    #expect(recorder.notes == ["main", "anywhere"])
    gate.open()
    #expect(await recorder.notes(3).last == "later")
  }

  @Test func `a notification task may wait for an event task`() async throws {
    let recorder = Recorder()
    let (center, notifications) = try center([
      .event(.alpha, name: "OpenDatabase") { _ in },
      .notification("News", name: "news", dependencies: ["OpenDatabase"]) { _ in recorder.note("news") },
    ])
    center.start()
    notifications.post(name: .init("News"), object: nil)
    await center.quiet()
    #expect(recorder.notes == [])
    await center.send(.alpha)
    notifications.post(name: .init("News"), object: nil)
    #expect(await recorder.notes(1) == ["news"])
  }

  @Test func `a center that nobody holds any more does not listen`() async throws {
    let recorder = Recorder()
    let notifications = NotificationCenter()
    weak var gone: TaskCenter?
    do {
      var configuration = TaskCenter.Configuration()
      configuration.notificationCenter = notifications
      let center = TaskCenter(configuration: configuration)
      gone = center
      try center.inject(.notification("News", name: "news") { _ in recorder.note("news") })
      center.start()
    }
    #expect(gone == nil)
    notifications.post(name: .init("News"), object: nil)
    #expect(recorder.notes == [])
  }

  @Test func `tasks of one name that disagree in what a burst does are refused, those of two senders are not`() throws {
    let (one, other) = (Shop(), Shop())
    _ = try center([
      .notification("News", name: "of one", sender: one, burst: .coalesce) { _ in },
      .notification("News", name: "of the other", sender: other, burst: .drop) { _ in },
      .notification("News", name: "of all") { _ in },
    ])
    let error = #expect(throws: TaskGraphError.self) {
      _ = try center([
        .notification("News", name: "one") { _ in },
        .notification("News", name: "other", burst: .drop) { _ in },
      ])
    }
    #expect(
      error?.sentences == [
        "event '@NotificationTask(News)' does 'queue' with a burst in one place and 'drop' in another; say the same in both"
      ])
  }

  @Test func `annotated tasks are collected and run`() async throws {
    let recorder = Recorder()
    let notifications = NotificationCenter()
    var configuration = TaskCenter.Configuration()
    configuration.notificationCenter = notifications
    let center = TaskCenter(registry: .generated, configuration: configuration, time: VirtualTime().source)
    center[ListeningTasks.Log.self] = recorder
    center.start()
    notifications.post(name: .init("ListeningTasks.News"), object: nil, userInfo: ["title": "Rain"])
    #expect(await recorder.notes(3).sorted() == ["element 1", "element 2", "news Rain"])
    notifications.post(name: ListeningTasks.other, object: nil)
    #expect(await recorder.notes(4).last == "other")
    for (title, sender) in [("hail", ListeningTasks.Station()), ("sun", ListeningTasks.station)] {
      notifications.post(name: .init("ListeningTasks.Weather"), object: sender, userInfo: ["title": title])
    }
    #expect(await recorder.notes(5).last == "weather sun")
    #expect(recorder.notes.filter { $0.hasPrefix("element") } == ["element 1", "element 2"])
    #expect(try center.sequence(of: ListeningTasks.Numbers.self).words == "ended")
  }
}
