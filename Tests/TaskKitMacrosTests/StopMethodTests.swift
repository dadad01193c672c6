import Testing

@Suite struct StopMethodTests {
  @Test(arguments: methods)
  func `a 'stop' that cannot undo its task says what is wrong with it`(picture: Picture) {
    picture.check()
  }

  @Test(arguments: samples)
  func `a 'stop' is handed over, with the output where it takes it`(sample: Sample) {
    sample.check()
  }

  static let methods = [
    Picture(
      "stopIsNotStatic",
      text: """
        @EventTask(event: .didFinishLaunching)
        actor Server {
          func run() {}
          func stop() async {}
               ^~~~
               | error: 'stop' is not static, and there is no instance to call it on; add 'static', or give
               |   it another name
               | fix-it: add 'static'
        }
        """,
      repaired:
        """
        @EventTask(event: .didFinishLaunching)
        actor Server {
          func run() {}
          static func stop() async {}
        }
        """),
    Picture(
      "genericStop",
      text: """
        @EventTask(event: .didFinishLaunching)
        enum Open {
          static func run() -> Int { 1 }
          static func stop<T>(_ output: T) {}
                          ^~~
                          | error: 'stop' is generic ('<T>'), and what 'run' returns has one type; write the
                          |   type itself, or give it another name
        }
        """),
    Picture(
      "genericStop",
      text: """
        @EventTask(event: .didFinishLaunching)
        enum Open {
          static func run() -> Int { 1 }
          static func stop(_ output: some Sendable) {}
                                     ^~~~~~~~~~~~~
                                     | error: 'stop' is generic ('some Sendable'), and what 'run' returns
                                     |   has one type; write the type itself, or give it another name
        }
        """),
    Picture(
      "stopTakesSeveralParameters",
      text: """
        @EventTask(event: .didFinishLaunching)
        enum Open {
          static func run() -> Int { 1 }
          static func stop(_ output: Int, gently: Bool) {}
                           ^~~~~~~~~~~~~~~~~~~~~~~~~~~
                           | error: 'stop' has 2 parameters; it takes nothing, or what 'run' returns; or
                           |   give it another name
        }
        """),
    Picture(
      "stopParameterIsLabelled",
      text: """
        @EventTask(event: .didFinishLaunching)
        enum Open {
          static func run() -> Int { 1 }
          static func stop(output: Int) {}
                           ^~~~~~
                           | error: the parameter of 'stop' has the label 'output'; write '_' in its place,
                           |   or give 'stop' another name
                           | fix-it: remove the label
        }
        """,
      repaired:
        """
        @EventTask(event: .didFinishLaunching)
        enum Open {
          static func run() -> Int { 1 }
          static func stop(_ output: Int) {}
        }
        """),
    Picture(
      "stopParameterIsMarked",
      text: """
        @EventTask(event: .didFinishLaunching)
        enum Open {
          static func run() -> Int { 1 }
          static func stop(_ output: inout Int) {}
                                     ^~~~~
                                     | error: the parameter of 'stop' is marked 'inout', and it is what
                                     |   'run' returned; remove 'inout', or give 'stop' another name
                                     | fix-it: remove 'inout'
        }
        """,
      repaired:
        """
        @EventTask(event: .didFinishLaunching)
        enum Open {
          static func run() -> Int { 1 }
          static func stop(_ output: Int) {}
        }
        """),
    Picture(
      "stopParameterIsMarked",
      text: """
        @EventTask(event: .didFinishLaunching)
        enum Open {
          static func run() -> Int { 1 }
          static func stop(_ output: Int...) {}
                                        ^~~
                                        | error: the parameter of 'stop' is marked '...', and it is what
                                        |   'run' returned; remove '...', or give 'stop' another name
                                        | fix-it: remove '...'
        }
        """,
      repaired:
        """
        @EventTask(event: .didFinishLaunching)
        enum Open {
          static func run() -> Int { 1 }
          static func stop(_ output: Int) {}
        }
        """),
    Picture(
      "stopTakesNoOutput",
      text: """
        @EventTask(event: .didFinishLaunching)
        enum Open {
          static func run() {}
                      ^~~
                      | note: 'run' is here
          static func stop(_ output: Int) {}
                           ^~~~~~~~~~~~~
                           | error: 'stop' takes what 'run' returns, and that returns nothing; remove the
                           |   parameter
                           | fix-it: remove the parameter
        }
        """,
      repaired:
        """
        @EventTask(event: .didFinishLaunching)
        enum Open {
          static func run() {}
          static func stop() {}
        }
        """),
    Picture(
      "stopReturns",
      text: """
        @EventTask(event: .didFinishLaunching)
        enum Open {
          static func run() {}
          static func stop() -> Bool { true }
                                ^~~~
                                | error: 'stop' returns 'Bool', which nobody reads; remove it, or give
                                |   'stop' another name
        }
        """),
    Picture(
      "stopReturns",
      text: """
        @EventTask(event: .didFinishLaunching)
        enum Open {
          static func run() -> Int { 1 }
          static func stop(_ output: Int) async throws -> [Int] { [] }
                                                          ^~~~~
                                                          | error: 'stop' returns '[Int]', which nobody
                                                          |   reads; remove it, or give 'stop' another name
        }
        """),
    Picture(
      "severalStops",
      text: """
        @EventTask(event: .didFinishLaunching)
        enum Open {
          static func run() -> Int { 1 }
          static func stop() {}
                      ^~~~
                      | note: the other one is here
          static func stop(_ output: Int) {}
                      ^~~~
                      | error: 'Open' has two methods 'stop' that could undo its task; give one another name
        }
        """),
    Picture(
      "conditionalStop",
      text: """
        @EventTask(event: .didFinishLaunching)
        enum Open {
          static func run() {}
          #if os(Linux)
          static func stop() {}
                      ^~~~
                      | error: 'stop' inside '#if' cannot be seen; declare it outside, with the '#if' in its
                      |   body
          #endif
        }
        """),
  ]

  static let samples = [
    Sample(
      "without a parameter",
      """
      @EventTask(event: .didBecomeActive, lane: .popups)
      enum Listen {
        static func run() {}
        @MainActor static func stop() throws {}
        func stop(after seconds: Int) {}
      }
      """,
      expandsTo: """
        enum Listen {
          static func run() {}
          @MainActor static func stop() throws {}
          func stop(after seconds: Int) {}

          nonisolated static var registration: TaskKit::TaskRegistration {
            TaskKit::TaskRegistration(
              __name: "App.Listen", type: self, collected: _isCollected,
              at: TaskKit::TaskLocation("App/Tasks.swift", 1, 1),
              occasions: [TaskKit::TaskOccasion(.didBecomeActive, __run: run)],
              lane: .popups,
              stop: TaskKit::TaskStop(__stop: stop))
          }
        }

        extension Listen: nonisolated TaskKit::__LifecycleTask {}
        """),
    Sample(
      "with the output",
      """
      @EventTask(event: .didBecomeActive)
      enum Open {
        static func run() -> Database { Database() }
        static func stop(_ database: Database) async {}
      }
      """,
      expandsTo: """
        enum Open {
          static func run() -> Database { Database() }
          static func stop(_ database: Database) async {}

          nonisolated static var registration: TaskKit::TaskRegistration {
            TaskKit::TaskRegistration(
              __name: "App.Open", type: self, collected: _isCollected,
              at: TaskKit::TaskLocation("App/Tasks.swift", 1, 1),
              occasions: [TaskKit::TaskOccasion(.didBecomeActive, __output: run)],
              stop: TaskKit::TaskStop(__stop: stop(_:), outputOf: Output.self))
          }

          typealias Output = Database
        }

        extension Open: nonisolated TaskKit::__LifecycleTask {}
        """),
  ]
}
