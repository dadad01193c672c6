import Testing

@Suite struct SurroundingsTests {
  @Test(arguments: samples)
  func `name, access and availability come from where the type stands`(sample: Sample) {
    sample.check()
  }

  static let samples = [
    Sample(
      "the name is the path through types and extensions",
      """
      extension News.Feed {
        public struct `Local` {
          @EventTask(event: .didBecomeActive)
          enum `default` {
            static func run() {}
          }
        }
      }
      """,
      expandsTo: """
        extension News.Feed {
          public struct `Local` {
            enum `default` {
              static func run() {}

              nonisolated static var registration: TaskKit::TaskRegistration {
                TaskKit::TaskRegistration(
                  __name: "App.News.Feed.Local.default", type: self, collected: _isCollected,
                  at: TaskKit::TaskLocation("App/Tasks.swift", 3, 5),
                  occasions: [TaskKit::TaskOccasion(.didBecomeActive, __run: run)])
              }
            }
          }
        }

        extension News.Feed.`Local`.`default`: nonisolated TaskKit::__LifecycleTask {}
        """),
    Sample(
      "a public type has public members",
      """
      @EventTask(event: .didBecomeActive)
      public enum Refresh {
        public static func run() -> Int { 1 }
      }
      """,
      expandsTo: """
        public enum Refresh {
          public static func run() -> Int { 1 }

          public nonisolated static var registration: TaskKit::TaskRegistration {
            TaskKit::TaskRegistration(
              __name: "App.Refresh", type: self, collected: _isCollected,
              at: TaskKit::TaskLocation("App/Tasks.swift", 1, 1),
              occasions: [TaskKit::TaskOccasion(.didBecomeActive, __output: run)])
          }

          public typealias Output = Int
        }

        extension Refresh: nonisolated TaskKit::__LifecycleTask {}
        """),
    Sample(
      "a type in a public extension has public members",
      """
      public extension News {
        @EventTask(event: .didBecomeActive)
        enum Refresh {
          static func run() -> Int { 1 }
        }
      }
      """,
      expandsTo: """
        public extension News {
          enum Refresh {
            static func run() -> Int { 1 }

            public nonisolated static var registration: TaskKit::TaskRegistration {
              TaskKit::TaskRegistration(
                __name: "App.News.Refresh", type: self, collected: _isCollected,
                at: TaskKit::TaskLocation("App/Tasks.swift", 2, 3),
                occasions: [TaskKit::TaskOccasion(.didBecomeActive, __output: run)])
            }

            public typealias Output = Int
          }
        }

        extension News.Refresh: nonisolated TaskKit::__LifecycleTask {}
        """),
    Sample(
      "a type in a package extension that says 'internal' has internal members",
      """
      package extension News {
        @EventTask(event: .didBecomeActive)
        internal enum Refresh {
          static func run() -> Int { 1 }
        }
      }
      """,
      expandsTo: """
        package extension News {
          internal enum Refresh {
            static func run() -> Int { 1 }

            nonisolated static var registration: TaskKit::TaskRegistration {
              TaskKit::TaskRegistration(
                __name: "App.News.Refresh", type: self, collected: _isCollected,
                at: TaskKit::TaskLocation("App/Tasks.swift", 2, 3),
                occasions: [TaskKit::TaskOccasion(.didBecomeActive, __output: run)])
            }

            typealias Output = Int
          }
        }

        extension News.Refresh: nonisolated TaskKit::__LifecycleTask {}
        """),
    Sample(
      "availability goes with the conformance",
      """
      @available(macOS 16, *)
      enum News {
        @available(iOS 26, *) @EventTask(event: .didBecomeActive)
        package enum Refresh {
          static func run() {}
        }
      }
      """,
      expandsTo: """
        @available(macOS 16, *)
        enum News {
          @available(iOS 26, *)
          package enum Refresh {
            static func run() {}

            package nonisolated static var registration: TaskKit::TaskRegistration {
              TaskKit::TaskRegistration(
                __name: "App.News.Refresh", type: self, collected: _isCollected,
                at: TaskKit::TaskLocation("App/Tasks.swift", 3, 25),
                occasions: [TaskKit::TaskOccasion(.didBecomeActive, __run: run)])
            }
          }
        }

        @available(macOS 16, *)
        @available(iOS 26, *)
        extension News.Refresh: nonisolated TaskKit::__LifecycleTask {}
        """),
    Sample(
      "availability goes with the conformance inside of its '#if', too",
      """
      #if os(tvOS)
      @available(*, unavailable)
      #elseif DEBUG
      @MainActor
      #endif
      @EventTask(event: .idle)
      enum Refresh {
        static func run() {}
      }
      """,
      expandsTo: """
        #if os(tvOS)
        @available(*, unavailable)
        #elseif DEBUG
        @MainActor
        #endif
        enum Refresh {
          static func run() {}

          nonisolated static var registration: TaskKit::TaskRegistration {
            TaskKit::TaskRegistration(
              __name: "App.Refresh", type: self, collected: _isCollected,
              at: TaskKit::TaskLocation("App/Tasks.swift", 6, 1),
              occasions: [TaskKit::TaskOccasion(.idle, __run: run)])
          }
        }

        #if os(tvOS)
        @available(*, unavailable)
        #elseif DEBUG
        #endif
        extension Refresh: nonisolated TaskKit::__LifecycleTask {}
        """),
    Sample(
      "an annotation with its module in front is the same one",
      """
      @TaskKit::EventTask(event: .idle)
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
              occasions: [TaskKit::TaskOccasion(.idle, __run: run)])
          }
        }

        extension Refresh: nonisolated TaskKit::__LifecycleTask {}
        """),
  ]
}
