import Testing

@Suite struct NotificationTests {
  @Test(arguments: notifications)
  func `a notification has a name`(picture: Picture) {
    picture.check()
  }

  @Test(arguments: sequences)
  func `a sequence is said first`(picture: Picture) {
    picture.check()
  }

  @Test(arguments: samples)
  func `what is heard and what is read is an occasion, and the rest are options`(sample: Sample) {
    sample.check()
  }

  static let notifications = [
    Picture(
      "noNotification",
      text: """
        @NotificationTask
         ^~~~~~~~~~~~~~~~
         | error: '@NotificationTask' names no notification; write its name first, as in
         |   '@NotificationTask("PricesChanged")'
        enum Refresh { static func run() {} }
        """),
    Picture(
      "noNotification",
      text: """
        @NotificationTask(sender: store, burst: .drop)
         ^~~~~~~~~~~~~~~~
         | error: '@NotificationTask' names no notification; write its name first, as in
         |   '@NotificationTask("PricesChanged")'
        enum Refresh { static func run() {} }
        """),
    Picture(
      "emptyNotification",
      text: """
        @NotificationTask("  ")
                          ^~~~
                          | error: the name of the notification is empty; write the name with which it is
                          |   posted
        enum Refresh { static func run() {} }
        """),
    Picture(
      "emptyNotification",
      text: """
        @NotificationTask("", burst: .coalesce)
                          ^~
                          | error: the name of the notification is empty; write the name with which it is
                          |   posted
        enum Refresh { static func run() {} }
        """),
    Picture(
      "emptyNotification", "emptyName",
      text: """
        @NotificationTask("", name: "  ")
                          ^~
                          | error: the name of the notification is empty; write the name with which it is
                          |   posted
                                    ^~~~
                                    | error: 'name:' is empty; write a name, or leave it out to use the
                                    |   type's path
                                    | fix-it: remove 'name:'
        enum Refresh { static func run() {} }
        """,
      repaired:
        """
        @NotificationTask("")
        enum Refresh { static func run() {} }
        """),
  ]

  static let sequences = [
    Picture(
      "noSequence",
      text: """
        @SequenceTask
         ^~~~~~~~~~~~
         | error: '@SequenceTask' names no sequence; write it first, as in '@SequenceTask(Prices.updates)'
        enum Refresh { static func run() {} }
        """),
    Picture(
      "noSequence",
      text: """
        @SequenceTask(name: "prices")
         ^~~~~~~~~~~~
         | error: '@SequenceTask' names no sequence; write it first, as in '@SequenceTask(Prices.updates)'
        enum Refresh { static func run() {} }
        """),
    Picture(
      "noSequence", "dependsOnItself",
      text: """
        @SequenceTask(dependencies: [Refresh.self])
         ^~~~~~~~~~~~
         | error: '@SequenceTask' names no sequence; write it first, as in '@SequenceTask(Prices.updates)'
                                     ^~~~~~~~~~~~
                                     | error: a task cannot wait for itself; remove 'Refresh.self'
                                     | fix-it: remove 'Refresh.self'
        enum Refresh { static func run() {} }
        """,
      repaired:
        """
        @SequenceTask(dependencies: [])
        enum Refresh { static func run() {} }
        """),
  ]

  static let samples = [
    Sample(
      "a notification by its name",
      """
      @NotificationTask("PricesChanged")
      enum RecalculateTotals {
        @MainActor static func run(_ notification: PostedNotification) {}
      }
      """,
      expandsTo: """
        enum RecalculateTotals {
          @MainActor static func run(_ notification: PostedNotification) {}

          nonisolated static var registration: TaskKit::TaskRegistration {
            TaskKit::TaskRegistration(
              __name: "App.RecalculateTotals", type: self, collected: _isCollected,
              at: TaskKit::TaskLocation("App/Tasks.swift", 1, 1),
              occasions: [TaskKit::TaskOccasion(.__notification("PricesChanged"), __runWithPayload: run(_:))])
          }
        }

        extension RecalculateTotals: nonisolated TaskKit::__LifecycleTask {}
        """),
    Sample(
      "a notification of one sender by a constant",
      """
      @NotificationTask(.pricesChanged, name: "totals", priority: .high, sender: Shop.shared, burst: .coalesce, lane: .disk)
      actor RecalculateTotals {
        func run() -> Int { 1 }
      }
      """,
      expandsTo: """
        actor RecalculateTotals {
          func run() -> Int { 1 }

          nonisolated static var registration: TaskKit::TaskRegistration {
            TaskKit::TaskRegistration(
              __name: "totals", type: self, collected: _isCollected,
              at: TaskKit::TaskLocation("App/Tasks.swift", 1, 1),
              occasions: [TaskKit::TaskOccasion(.__notification(.pricesChanged, sender: Shop.shared, burst: .coalesce), __output: _taskBody)],
              priority: .high,
              lane: .disk)
          }

          static func _taskBody() async -> Int {
            return await Self().run()
          }

          typealias Output = Int
        }

        extension RecalculateTotals: nonisolated TaskKit::__LifecycleTask {}
        """),
    Sample(
      "a sequence, with the name of the task that reads it",
      """
      @SequenceTask(Prices.updates)
      enum ShowPrice {
        @MainActor static func run(_ price: Price) {}
      }
      """,
      expandsTo: """
        enum ShowPrice {
          @MainActor static func run(_ price: Price) {}

          nonisolated static var registration: TaskKit::TaskRegistration {
            TaskKit::TaskRegistration(
              __name: "App.ShowPrice", type: self, collected: _isCollected,
              at: TaskKit::TaskLocation("App/Tasks.swift", 1, 1),
              occasions: [TaskKit::TaskOccasion(.__elements(of: Prices.updates, task: "App.ShowPrice"), __runWithPayload: run(_:))])
          }
        }

        extension ShowPrice: nonisolated TaskKit::__LifecycleTask {}
        """),
    Sample(
      "a sequence that is read as fast as it comes",
      """
      @SequenceTask(Prices.updates(of: "SAP"), name: "price", burst: .drop, timeout: .seconds(1))
      enum ShowPrice {
        static func run(_ context: TaskContext<Price>) async throws -> Bool { true }
      }
      """,
      expandsTo: """
        enum ShowPrice {
          static func run(_ context: TaskContext<Price>) async throws -> Bool { true }

          nonisolated static var registration: TaskKit::TaskRegistration {
            TaskKit::TaskRegistration(
              __name: "price", type: self, collected: _isCollected,
              at: TaskKit::TaskLocation("App/Tasks.swift", 1, 1),
              occasions: [TaskKit::TaskOccasion(.__elements(of: Prices.updates(of: "SAP"), task: "price", burst: .drop), __outputWithContext: run(_:))],
              timeout: .seconds(1))
          }

          typealias Output = Bool
        }

        extension ShowPrice: nonisolated TaskKit::__LifecycleTask {}
        """),
  ]
}
