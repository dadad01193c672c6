import Testing

@Suite struct TaskDeclarationsTests {
  @Test(arguments: samples)
  func `a task is one registration and one conformance`(sample: Sample) {
    sample.check()
  }

  static let samples = [
    Sample(
      "a static 'run' is referred to as it is",
      """
      @EventTask(event: .didBecomeActive)
      enum Refresh {
        static func run() {}
      }
      """,
      expandsTo: """
        enum Refresh {
          static func run() {}

          nonisolated static var registration: TaskKit::TaskRegistration {
            TaskKit::TaskRegistration(
              __name: "App.Refresh", type: self, collected: _isCollected,
              at: TaskKit::TaskLocation("App/Tasks.swift", 1, 1),
              occasions: [TaskKit::TaskOccasion(.didBecomeActive, __run: run)])
          }
        }

        extension Refresh: nonisolated TaskKit::__LifecycleTask {}
        """),
    Sample(
      "the arguments are copied as they are written, and no others",
      """
      @EventTask(
        name: "database", priority: Priority(600), event: .didFinishLaunching,
        dependencies: [Load.self, Store::Disk.Open.self], after: ["News", .optional("Ads")],
        timeout: .seconds(5), retry: .attempts(3, backoff: .fixed(.seconds(1))),
        onFailure: .stopEvent, runs: .once, lane: .disk
      )
      enum OpenDatabase {
        static func run(_ context: TaskContext<LaunchOptions>) async throws -> Database { fatalError() }
      }
      """,
      expandsTo: """
        enum OpenDatabase {
          static func run(_ context: TaskContext<LaunchOptions>) async throws -> Database { fatalError() }

          nonisolated static var registration: TaskKit::TaskRegistration {
            TaskKit::TaskRegistration(
              __name: "database", type: self, collected: _isCollected,
              at: TaskKit::TaskLocation("App/Tasks.swift", 1, 1),
              occasions: [TaskKit::TaskOccasion(.didFinishLaunching, __outputWithContext: run(_:))],
              priority: Priority(600),
              dependencies: [
                TaskKit::TaskDependency(__type: Load.self, "Load"),
                TaskKit::TaskDependency(__type: Store::Disk.Open.self, "Disk.Open")],
              after: ["News", .optional("Ads")],
              timeout: .seconds(5),
              retry: .attempts(3, backoff: .fixed(.seconds(1))),
              onFailure: .stopEvent,
              runs: .once,
              lane: .disk)
          }

          typealias Output = Database
        }

        extension OpenDatabase: nonisolated TaskKit::__LifecycleTask {}
        """),
    Sample(
      "a payload and an output have their labels",
      """
      @EventTask(event: .openURL)
      struct Open {
        @MainActor static func run(_ request: OpenURLRequest) -> Bool { true }
      }
      """,
      expandsTo: """
        struct Open {
          @MainActor static func run(_ request: OpenURLRequest) -> Bool { true }

          nonisolated static var registration: TaskKit::TaskRegistration {
            TaskKit::TaskRegistration(
              __name: "App.Open", type: self, collected: _isCollected,
              at: TaskKit::TaskLocation("App/Tasks.swift", 1, 1),
              occasions: [TaskKit::TaskOccasion(.openURL, __outputWithPayload: run(_:))])
          }

          typealias Output = Bool
        }

        extension Open: nonisolated TaskKit::__LifecycleTask {}
        """),
    Sample(
      "a context is known by its module too",
      """
      @EventTask(event: .openURL)
      struct Open {
        static func run(_ context: TaskKit::TaskContext<OpenURLRequest>) throws -> Swift.Void {}
      }
      """,
      expandsTo: """
        struct Open {
          static func run(_ context: TaskKit::TaskContext<OpenURLRequest>) throws -> Swift.Void {}

          nonisolated static var registration: TaskKit::TaskRegistration {
            TaskKit::TaskRegistration(
              __name: "App.Open", type: self, collected: _isCollected,
              at: TaskKit::TaskLocation("App/Tasks.swift", 1, 1),
              occasions: [TaskKit::TaskOccasion(.openURL, __runWithContext: run(_:))])
          }
        }

        extension Open: nonisolated TaskKit::__LifecycleTask {}
        """),
    Sample(
      "a context is known by a module in front with a dot too",
      """
      @EventTask(event: .openURL)
      struct Open {
        static func run(_ context: TaskKit.TaskContext<OpenURLRequest>) -> () {}
      }
      """,
      expandsTo: """
        struct Open {
          static func run(_ context: TaskKit.TaskContext<OpenURLRequest>) -> () {}

          nonisolated static var registration: TaskKit::TaskRegistration {
            TaskKit::TaskRegistration(
              __name: "App.Open", type: self, collected: _isCollected,
              at: TaskKit::TaskLocation("App/Tasks.swift", 1, 1),
              occasions: [TaskKit::TaskOccasion(.openURL, __runWithContext: run(_:))])
          }
        }

        extension Open: nonisolated TaskKit::__LifecycleTask {}
        """),
    Sample(
      "each of several events is an occasion",
      """
      @EventTask(priority: .low, events: .idle, LifecycleEvent<Order, Void>.placed, LifecycleEvent<Void, Void>("own"))
      enum Refresh {
        static func run() async -> [Item] { [] }
      }
      """,
      expandsTo: """
        enum Refresh {
          static func run() async -> [Item] { [] }

          nonisolated static var registration: TaskKit::TaskRegistration {
            TaskKit::TaskRegistration(
              __name: "App.Refresh", type: self, collected: _isCollected,
              at: TaskKit::TaskLocation("App/Tasks.swift", 1, 1),
              occasions: [
                TaskKit::TaskOccasion(.idle, __output: run),
                TaskKit::TaskOccasion(LifecycleEvent<Order, Void>.placed, __output: run),
                TaskKit::TaskOccasion(LifecycleEvent<Void, Void>("own"), __output: run)],
              priority: .low)
          }

          typealias Output = [Item]
        }

        extension Refresh: nonisolated TaskKit::__LifecycleTask {}
        """),
    Sample(
      "other things named 'run' and 'isEnabled' are left alone",
      """
      @EventTask(event: .didBecomeActive)
      enum Refresh {
        static func run(_ count: Int, times: Int) {}
        static func run() async {}
        static func isEnabled(for person: Person) -> Bool { true }
        #if DEBUG
        static func run(twice: Int) {}
        #endif
        func registration() {}
      }
      """,
      expandsTo: """
        enum Refresh {
          static func run(_ count: Int, times: Int) {}
          static func run() async {}
          static func isEnabled(for person: Person) -> Bool { true }
          #if DEBUG
          static func run(twice: Int) {}
          #endif
          func registration() {}

          nonisolated static var registration: TaskKit::TaskRegistration {
            TaskKit::TaskRegistration(
              __name: "App.Refresh", type: self, collected: _isCollected,
              at: TaskKit::TaskLocation("App/Tasks.swift", 1, 1),
              occasions: [TaskKit::TaskOccasion(.didBecomeActive, __run: run)])
          }
        }

        extension Refresh: nonisolated TaskKit::__LifecycleTask {}
        """),
    Sample(
      "a method of the same type is told apart by its label",
      """
      @EventTask(event: .orderPlaced)
      enum Ship {
        static func run(_ order: Order) { run(order: order) }
        static func run(order: Order) {}
      }
      """,
      expandsTo: """
        enum Ship {
          static func run(_ order: Order) { run(order: order) }
          static func run(order: Order) {}

          nonisolated static var registration: TaskKit::TaskRegistration {
            TaskKit::TaskRegistration(
              __name: "App.Ship", type: self, collected: _isCollected,
              at: TaskKit::TaskLocation("App/Tasks.swift", 1, 1),
              occasions: [TaskKit::TaskOccasion(.orderPlaced, __runWithPayload: run(_:))])
          }
        }

        extension Ship: nonisolated TaskKit::__LifecycleTask {}
        """),
    Sample(
      "what no build has is no member of the type",
      """
      @EventTask(event: .didBecomeActive)
      enum Refresh {
        #if false
        static func stop() {}
        #elseif !(false)
        static func update() {}
        #else
        static var isEnabled: Bool { false }
        #endif
        #if DEBUG && false
        typealias Output = Int
        #endif
        static func run() {}
      }
      """,
      expandsTo: """
        enum Refresh {
          #if false
          static func stop() {}
          #elseif !(false)
          static func update() {}
          #else
          static var isEnabled: Bool { false }
          #endif
          #if DEBUG && false
          typealias Output = Int
          #endif
          static func run() {}

          nonisolated static var registration: TaskKit::TaskRegistration {
            TaskKit::TaskRegistration(
              __name: "App.Refresh", type: self, collected: _isCollected,
              at: TaskKit::TaskLocation("App/Tasks.swift", 1, 1),
              occasions: [TaskKit::TaskOccasion(.didBecomeActive, __run: run)])
          }
        }

        extension Refresh: nonisolated TaskKit::__LifecycleTask {}
        """),
    Sample(
      "what the build can read in another form is accepted",
      """
      @EventTask(event: LifecycleEvent<Order, Void>.init("placed", once: true), dependencies: [], after: [])
      struct Bill {
        static func run() {}
      }
      """,
      expandsTo: """
        struct Bill {
          static func run() {}

          nonisolated static var registration: TaskKit::TaskRegistration {
            TaskKit::TaskRegistration(
              __name: "App.Bill", type: self, collected: _isCollected,
              at: TaskKit::TaskLocation("App/Tasks.swift", 1, 1),
              occasions: [TaskKit::TaskOccasion(LifecycleEvent<Order, Void>.init("placed", once: true), __run: run)],
              dependencies: [],
              after: [])
          }
        }

        extension Bill: nonisolated TaskKit::__LifecycleTask {}
        """),
    Sample(
      "names of values, which extensions and supertypes may have as well",
      """
      @EventTask(event: LifecycleEvent<Order, Void>("placed"), timeout: limit * `default`, retry: .attempts(Limits.count, limit))
      enum Refresh {
        static func run() {}
      }
      """,
      expandsTo: """
        enum Refresh {
          static func run() {}

          nonisolated static var registration: TaskKit::TaskRegistration {
            let _name0 = TaskKit::__NamesInside(self).limit
            _name0.meansTheSameOutside()
            let _name1 = TaskKit::__NamesInside(self).`default`
            _name1.meansTheSameOutside()
            return TaskKit::TaskRegistration(
              __name: "App.Refresh", type: self, collected: _isCollected,
              at: TaskKit::TaskLocation("App/Tasks.swift", 1, 1),
              occasions: [TaskKit::TaskOccasion(LifecycleEvent<Order, Void>("placed"), __run: run)],
              timeout: limit * `default`,
              retry: .attempts(Limits.count, limit))
          }
        }

        extension Refresh: nonisolated TaskKit::__LifecycleTask {}
        """),
    Sample(
      "names of values where the type inherits from one around it, whose members mean the same outside",
      """
      class Feed {
        static let limit = Duration.seconds(5)

        @EventTask(event: .idle, timeout: limit)
        final class Load: Sendable, App.Feed {
          static func run() {}
        }
      }
      """,
      expandsTo: """
        class Feed {
          static let limit = Duration.seconds(5)
          final class Load: Sendable, App.Feed {
            static func run() {}

            nonisolated static var registration: TaskKit::TaskRegistration {
              TaskKit::TaskRegistration(
                __name: "App.Feed.Load", type: self, collected: _isCollected,
                at: TaskKit::TaskLocation("App/Tasks.swift", 4, 3),
                occasions: [TaskKit::TaskOccasion(.idle, __run: run)],
                timeout: limit)
            }
          }
        }

        extension Feed.Load: nonisolated TaskKit::__LifecycleTask {}
        """),
  ]
}
