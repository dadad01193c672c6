import Testing

@Suite struct WrapperTests {
  @Test(arguments: samples)
  func `a 'run' that cannot be referred to as it is gets a wrapper with its isolation`(sample: Sample) {
    sample.check()
  }

  static let samples = [
    Sample(
      "an instance is made for each run",
      """
      @EventTask(event: .didBecomeActive)
      struct Refresh {
        var count = 0
        let start: Date = .now, end: Date?
        var twice: Int { count * 2 }
        init() throws {}
        nonisolated func run() async {}
      }
      """,
      expandsTo: """
        struct Refresh {
          var count = 0
          let start: Date = .now, end: Date?
          var twice: Int { count * 2 }
          init() throws {}
          nonisolated func run() async {}

          nonisolated static var registration: TaskKit::TaskRegistration {
            TaskKit::TaskRegistration(
              __name: "App.Refresh", type: self, collected: _isCollected,
              at: TaskKit::TaskLocation("App/Tasks.swift", 1, 1),
              occasions: [TaskKit::TaskOccasion(.didBecomeActive, __run: _taskBody)])
          }

          nonisolated static func _taskBody() async throws {
            return try await Self().run()
          }
        }

        extension Refresh: nonisolated TaskKit::__LifecycleTask {}
        """),
    Sample(
      "of several initialisers the one without parameters is called",
      """
      @EventTask(event: .didBecomeActive)
      struct Refresh {
        init(count: Int = 1) async {}
        init() throws {}
        func run() {}
      }
      """,
      expandsTo: """
        struct Refresh {
          init(count: Int = 1) async {}
          init() throws {}
          func run() {}

          nonisolated static var registration: TaskKit::TaskRegistration {
            TaskKit::TaskRegistration(
              __name: "App.Refresh", type: self, collected: _isCollected,
              at: TaskKit::TaskLocation("App/Tasks.swift", 1, 1),
              occasions: [TaskKit::TaskOccasion(.didBecomeActive, __run: _taskBody)])
          }

          static func _taskBody() throws {
            return try Self().run()
          }
        }

        extension Refresh: nonisolated TaskKit::__LifecycleTask {}
        """),
    Sample(
      "of several initialisers an async one is called where the wrapper is async",
      """
      @EventTask(event: .didBecomeActive)
      struct Refresh {
        init(count: Int = 1) async {}
        init() throws {}
        func run() async {}
      }
      """,
      expandsTo: """
        struct Refresh {
          init(count: Int = 1) async {}
          init() throws {}
          func run() async {}

          nonisolated static var registration: TaskKit::TaskRegistration {
            TaskKit::TaskRegistration(
              __name: "App.Refresh", type: self, collected: _isCollected,
              at: TaskKit::TaskLocation("App/Tasks.swift", 1, 1),
              occasions: [TaskKit::TaskOccasion(.didBecomeActive, __run: _taskBody)])
          }

          static func _taskBody() async {
            return await Self().run()
          }
        }

        extension Refresh: nonisolated TaskKit::__LifecycleTask {}
        """),
    Sample(
      "a class whose initialisers all call another one has its implicit one",
      """
      @EventTask(event: .didBecomeActive)
      final class Refresh {
        var limit = 3
        convenience init(limit: Int) throws { self.init() }
        func run() {}
      }
      """,
      expandsTo: """
        final class Refresh {
          var limit = 3
          convenience init(limit: Int) throws { self.init() }
          func run() {}

          nonisolated static var registration: TaskKit::TaskRegistration {
            TaskKit::TaskRegistration(
              __name: "App.Refresh", type: self, collected: _isCollected,
              at: TaskKit::TaskLocation("App/Tasks.swift", 1, 1),
              occasions: [TaskKit::TaskOccasion(.didBecomeActive, __run: _taskBody)])
          }

          static func _taskBody() {
            return Self().run()
          }
        }

        extension Refresh: nonisolated TaskKit::__LifecycleTask {}
        """),
    Sample(
      "also where one of them stands inside '#if'",
      """
      @EventTask(event: .didBecomeActive)
      final class Refresh {
        #if DEBUG
        convenience init(seed: Int = 1) async throws { self.init() }
        #endif
        func run() {}
      }
      """,
      expandsTo: """
        final class Refresh {
          #if DEBUG
          convenience init(seed: Int = 1) async throws { self.init() }
          #endif
          func run() {}

          nonisolated static var registration: TaskKit::TaskRegistration {
            TaskKit::TaskRegistration(
              __name: "App.Refresh", type: self, collected: _isCollected,
              at: TaskKit::TaskLocation("App/Tasks.swift", 1, 1),
              occasions: [TaskKit::TaskOccasion(.didBecomeActive, __run: _taskBody)])
          }

          static func _taskBody() {
            return Self().run()
          }
        }

        extension Refresh: nonisolated TaskKit::__LifecycleTask {}
        """),
    Sample(
      "so has an actor, whose initialisers are not marked",
      """
      @EventTask(event: .didBecomeActive)
      actor Refresh {
        var limit = 3
        init(limit: Int) throws { self.init() }
        func run() {}
      }
      """,
      expandsTo: """
        actor Refresh {
          var limit = 3
          init(limit: Int) throws { self.init() }
          func run() {}

          nonisolated static var registration: TaskKit::TaskRegistration {
            TaskKit::TaskRegistration(
              __name: "App.Refresh", type: self, collected: _isCollected,
              at: TaskKit::TaskLocation("App/Tasks.swift", 1, 1),
              occasions: [TaskKit::TaskOccasion(.didBecomeActive, __run: _taskBody)])
          }

          static func _taskBody() async {
            return await Self().run()
          }
        }

        extension Refresh: nonisolated TaskKit::__LifecycleTask {}
        """),
    Sample(
      "an initialiser inside '#if' is called as each branch needs it",
      """
      @EventTask(event: .didBecomeActive)
      struct Refresh {
        let feed: String
        #if DEBUG
        init() throws { feed = "debug" }
        #else
        init() { feed = "release" }
        #endif
        func run() {}
      }
      """,
      expandsTo: """
        struct Refresh {
          let feed: String
          #if DEBUG
          init() throws { feed = "debug" }
          #else
          init() { feed = "release" }
          #endif
          func run() {}

          nonisolated static var registration: TaskKit::TaskRegistration {
            TaskKit::TaskRegistration(
              __name: "App.Refresh", type: self, collected: _isCollected,
              at: TaskKit::TaskLocation("App/Tasks.swift", 1, 1),
              occasions: [TaskKit::TaskOccasion(.didBecomeActive, __run: _taskBody)])
          }

          static func _taskBody() throws {
            return try Self().run()
          }
        }

        extension Refresh: nonisolated TaskKit::__LifecycleTask {}
        """),
    Sample(
      "a mutating 'run' gets a variable",
      """
      @EventTask(event: .orderPlaced)
      @MainActor struct Bill {
        var sum = 0 { didSet {} }
        var note, remark: String?
        @Wrapper var wrapped: Int
        lazy var later: Int = 1
        mutating func run(_ order: Order) throws(BillError) -> Int { sum }
      }
      """,
      expandsTo: """
        @MainActor struct Bill {
          var sum = 0 { didSet {} }
          var note, remark: String?
          @Wrapper var wrapped: Int
          lazy var later: Int = 1
          mutating func run(_ order: Order) throws(BillError) -> Int { sum }

          nonisolated static var registration: TaskKit::TaskRegistration {
            TaskKit::TaskRegistration(
              __name: "App.Bill", type: self, collected: _isCollected,
              at: TaskKit::TaskLocation("App/Tasks.swift", 1, 1),
              occasions: [TaskKit::TaskOccasion(.orderPlaced, __outputWithPayload: _taskBody)])
          }

          static func _taskBody(_ payload: Order) throws(BillError) -> Int {
            var task = Self()
            return try task.run(payload)
          }

          typealias Output = Int
        }

        extension Bill: nonisolated TaskKit::__LifecycleTask {}
        """),
    Sample(
      "an actor is awaited",
      """
      @EventTask(event: .orderPlaced)
      actor Bills {
        func run(_ context: TaskContext<Order>) throws {}
      }
      """,
      expandsTo: """
        actor Bills {
          func run(_ context: TaskContext<Order>) throws {}

          nonisolated static var registration: TaskKit::TaskRegistration {
            TaskKit::TaskRegistration(
              __name: "App.Bills", type: self, collected: _isCollected,
              at: TaskKit::TaskLocation("App/Tasks.swift", 1, 1),
              occasions: [TaskKit::TaskOccasion(.orderPlaced, __runWithContext: _taskBody)])
          }

          static func _taskBody(_ context: TaskContext<Order>) async throws {
            return try await Self().run(context)
          }
        }

        extension Bills: nonisolated TaskKit::__LifecycleTask {}
        """),
    Sample(
      "a method of an actor that is isolated elsewhere is not",
      """
      @EventTask(event: .orderPlaced)
      final actor Bills {
        init(limit: Int = 1, names: String...) async {}
        @discardableResult @Billing func run(_ order: Order) -> Int { 1 }
      }
      """,
      expandsTo: """
        final actor Bills {
          init(limit: Int = 1, names: String...) async {}
          @discardableResult @Billing func run(_ order: Order) -> Int { 1 }

          nonisolated static var registration: TaskKit::TaskRegistration {
            TaskKit::TaskRegistration(
              __name: "App.Bills", type: self, collected: _isCollected,
              at: TaskKit::TaskLocation("App/Tasks.swift", 1, 1),
              occasions: [TaskKit::TaskOccasion(.orderPlaced, __outputWithPayload: _taskBody)])
          }

          @Billing static func _taskBody(_ payload: Order) async -> Int {
            return await Self().run(payload)
          }

          typealias Output = Int
        }

        extension Bills: nonisolated TaskKit::__LifecycleTask {}
        """),
    Sample(
      "a task that can be switched off looks first",
      """
      @EventTask(event: .didBecomeActive)
      public final class Refresh {
        @MainActor public static func run() {}
        public static var isEnabled: Bool { true }
      }
      """,
      expandsTo: """
        public final class Refresh {
          @MainActor public static func run() {}
          public static var isEnabled: Bool { true }

          public nonisolated static var registration: TaskKit::TaskRegistration {
            TaskKit::TaskRegistration(
              __name: "App.Refresh", type: self, collected: _isCollected,
              at: TaskKit::TaskLocation("App/Tasks.swift", 1, 1),
              occasions: [TaskKit::TaskOccasion(.didBecomeActive, __run: _taskBody)])
          }

          @MainActor static func _taskBody() throws {
            guard isEnabled else { throw TaskKit::TaskDisabled() }
            return run()
          }
        }

        extension Refresh: nonisolated TaskKit::__LifecycleTask {}
        """),
    Sample(
      "a switch and an instance need one wrapper",
      """
      @EventTask(event: .didBecomeActive)
      final class Refresh: Base {
        static let isEnabled = Flags.refresh
        func run() async throws(RefreshError) -> Int { 1 }
      }
      """,
      expandsTo: """
        final class Refresh: Base {
          static let isEnabled = Flags.refresh
          func run() async throws(RefreshError) -> Int { 1 }

          nonisolated static var registration: TaskKit::TaskRegistration {
            TaskKit::TaskRegistration(
              __name: "App.Refresh", type: self, collected: _isCollected,
              at: TaskKit::TaskLocation("App/Tasks.swift", 1, 1),
              occasions: [TaskKit::TaskOccasion(.didBecomeActive, __output: _taskBody)])
          }

          static func _taskBody() async throws -> Int {
            guard isEnabled else { throw TaskKit::TaskDisabled() }
            return try await Self().run()
          }

          typealias Output = Int
        }

        extension Refresh: nonisolated TaskKit::__LifecycleTask {}
        """),
  ]
}
