import Testing

@Suite struct RunMethodTests {
  @Test(arguments: methods)
  func `a 'run' that cannot be a task's work says what is wrong with it`(picture: Picture) {
    picture.check()
  }

  @Test(arguments: instances)
  func `an instance 'run' needs a way to make an instance`(picture: Picture) {
    picture.check()
  }

  static let methods = [
    Picture(
      "noRun",
      text: """
        @EventTask(event: .didBecomeActive)
        enum Refresh {}
             ^~~~~~~
             | error: 'Refresh' has no 'run' for its task; declare 'static func run()' in the type's own
             |   body, because one in an extension cannot be seen here
             | fix-it: add 'static func run()'
        """,
      repaired:
        """
        @EventTask(event: .didBecomeActive)
        enum Refresh {
          static func run() {}
        }
        """),
    Picture(
      "noRun",
      text: """
        @EventTask(event: .didBecomeActive)
        enum Refresh {
             ^~~~~~~
             | error: 'Refresh' has no 'run' for its task; declare 'static func run()' in the type's own
             |   body, because one in an extension cannot be seen here
             | fix-it: add 'static func run()'
          static func refresh() {}
        }
        """,
      repaired:
        """
        @EventTask(event: .didBecomeActive)
        enum Refresh {
          static func refresh() {}
          static func run() {}
        }
        """),
    Picture(
      "noRun",
      text: """
        enum Feed {
          @EventTask(event: .didBecomeActive)
          struct Refresh {
                 ^~~~~~~
                 | error: 'Refresh' has no 'run' for its task; declare 'static func run()' in the type's own
                 |   body, because one in an extension cannot be seen here
                 | fix-it: add 'static func run()'
            let run = 1
          }
        }
        """,
      repaired:
        """
        enum Feed {
          @EventTask(event: .didBecomeActive)
          struct Refresh {
            let run = 1
            static func run() {}
          }
        }
        """),
    Picture(
      "conditionalRun",
      text: """
        @EventTask(event: .didBecomeActive)
        enum Refresh {
          #if DEBUG
          static func run() {}
                      ^~~
                      | error: 'run' inside '#if' cannot be seen; declare it outside, with the '#if' in its
                      |   body
          #endif
        }
        """),
    Picture(
      "severalRuns",
      text: """
        @EventTask(event: .didBecomeActive)
        enum Refresh {
          static func run() {}
                      ^~~
                      | note: the other one is here
          static func run(_ context: TaskContext<Void>) async {}
                      ^~~
                      | error: 'Refresh' has two methods 'run' that could be its task; give one another name
        }
        """),
    Picture(
      "runTakesSeveralParameters",
      text: """
        @EventTask(event: .orderPlaced)
        enum Bill {
          static func run(_ order: Order, _ context: TaskContext<Order>) {}
                          ^~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~
                          | error: 'run' has 2 parameters; it takes nothing, the event's payload or a
                          |   'TaskContext' of it
        }
        """),
    Picture(
      "runParameterIsLabelled",
      text: """
        @EventTask(event: .orderPlaced)
        enum Bill {
          static func run(order: Order) {}
                          ^~~~~
                          | error: the parameter of 'run' has the label 'order'; write '_' in its place
                          | fix-it: remove the label
        }
        """,
      repaired:
        """
        @EventTask(event: .orderPlaced)
        enum Bill {
          static func run(_ order: Order) {}
        }
        """),
    Picture(
      "runParameterIsLabelled",
      text: """
        @EventTask(event: .orderPlaced)
        enum Bill {
          static func run(for order: Order) {}
                          ^~~
                          | error: the parameter of 'run' has the label 'for'; write '_' in its place
                          | fix-it: remove the label
        }
        """,
      repaired:
        """
        @EventTask(event: .orderPlaced)
        enum Bill {
          static func run(_ order: Order) {}
        }
        """),
    Picture(
      "runParameterIsVariadic",
      text: """
        @EventTask(event: .orderPlaced)
        enum Bill {
          static func run(_ orders: Order...) {}
                                         ^~~
                                         | error: the parameter of 'run' is variadic, and an event has one
                                         |   payload; remove '...'
                                         | fix-it: remove '...'
        }
        """,
      repaired:
        """
        @EventTask(event: .orderPlaced)
        enum Bill {
          static func run(_ orders: Order) {}
        }
        """),
    Picture(
      "runParameterIsSpecified",
      text: """
        @EventTask(event: .orderPlaced)
        enum Bill {
          static func run(_ order: inout Order) {}
                                   ^~~~~
                                   | error: the parameter of 'run' is 'inout', and an event gives its
                                   |   payload to many tasks; remove 'inout'
                                   | fix-it: remove 'inout'
        }
        """,
      repaired:
        """
        @EventTask(event: .orderPlaced)
        enum Bill {
          static func run(_ order: Order) {}
        }
        """),
    Picture(
      "genericRun",
      text: """
        @EventTask(event: .orderPlaced)
        enum Bill {
          static func run<O: Orderable>(_ order: O) {}
                         ^~~~~~~~~~~~~~
                         | error: 'run' is generic ('<O: Orderable>'), and an event has one payload; write
                         |   the type itself
        }
        """),
    Picture(
      "genericRun", "opaqueOutput",
      text: """
        @EventTask(event: .orderPlaced)
        enum Bill {
          static func run(_ order: some Orderable) -> [some View] {}
                                   ^~~~~~~~~~~~~~
                                   | error: 'run' is generic ('some Orderable'), and an event has one
                                   |   payload; write the type itself
                                                       ^~~~~~~~~
                                                       | error: 'run' returns 'some View', and other tasks
                                                       |   read its output by type; write the type itself
        }
        """),
    Picture(
      "runParameterIsLabelled", "genericRun", "opaqueOutput",
      text: """
        @EventTask(event: .didBecomeActive)
        enum Refresh {
          static func run(times: Int) {}
                          ^~~~~
                          | error: the parameter of 'run' has the label 'times'; write '_' in its place
                          | fix-it: remove the label
          static func run<Feed>(_ feed: Feed) -> some Sequence {}
                         ^~~~~~
                         | error: 'run' is generic ('<Feed>'), and an event has one payload; write the type
                         |   itself
                                                 ^~~~~~~~~~~~~
                                                 | error: 'run' returns 'some Sequence', and other tasks
                                                 |   read its output by type; write the type itself
        }
        """,
      repaired:
        """
        @EventTask(event: .didBecomeActive)
        enum Refresh {
          static func run(_ times: Int) {}
          static func run<Feed>(_ feed: Feed) -> some Sequence {}
        }
        """),
  ]

  static let instances = [
    Picture(
      "noInitialiser",
      text: """
        @EventTask(event: .didBecomeActive)
        enum Refresh {
          func run() {}
               ^~~
               | error: each run makes a new 'Refresh', which has no 'init()' in its body; make 'run'
               |   static, or add 'init()'
               | fix-it: add 'static'
        }
        """,
      repaired:
        """
        @EventTask(event: .didBecomeActive)
        enum Refresh {
          static func run() {}
        }
        """),
    Picture(
      "noInitialiser",
      text: """
        @EventTask(event: .didBecomeActive)
        struct Refresh {
          let feed: Feed
          mutating func run() {}
                        ^~~
                        | error: each run makes a new 'Refresh', which has no 'init()' in its body; make
                        |   'run' static, or add 'init()'
        }
        """),
    Picture(
      "noInitialiser",
      text: """
        @EventTask(event: .didBecomeActive)
        final class Refresh {
          init(feed: Feed) {}
          func run() {}
               ^~~
               | error: each run makes a new 'Refresh', which has no 'init()' in its body; make 'run'
               |   static, or add 'init()'
               | fix-it: add 'static'
        }
        """,
      repaired:
        """
        @EventTask(event: .didBecomeActive)
        final class Refresh {
          init(feed: Feed) {}
          static func run() {}
        }
        """),
    Picture(
      "noInitialiser",
      text: """
        @EventTask(event: .didBecomeActive)
        actor Refresh {
          var feed: Feed
          init?() {}
          func run() {}
               ^~~
               | error: each run makes a new 'Refresh', which has no 'init()' in its body; make 'run'
               |   static, or add 'init()'
               | fix-it: add 'static'
        }
        """,
      repaired:
        """
        @EventTask(event: .didBecomeActive)
        actor Refresh {
          var feed: Feed
          init?() {}
          static func run() {}
        }
        """),
  ]
}
