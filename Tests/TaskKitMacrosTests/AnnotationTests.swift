import Testing

@Suite struct AnnotationTests {
  @Test(arguments: names)
  func `'name:' is a plain string literal that is not empty`(picture: Picture) {
    picture.check()
  }

  @Test(arguments: events)
  func `the events are members that the build can read`(picture: Picture) {
    picture.check()
  }

  @Test(arguments: predecessors)
  func `'after:' is a list of names that the build can read`(picture: Picture) {
    picture.check()
  }

  @Test(arguments: limits)
  func `a limit that leaves no time and no attempt is an error`(picture: Picture) {
    picture.check()
  }

  static let names = [
    Picture(
      "nameIsNotLiteral",
      text: #"""
        @EventTask(name: "refresh \(version)", event: .didBecomeActive)
                         ^~~~~~~~~~~~~~~~~~~~
                         | error: 'name:' is not a plain string literal, which the build needs to read it;
                         |   write the name between quotes
        enum Refresh { static func run() {} }
        """#),
    Picture(
      "nameIsNotLiteral",
      text: """
        @EventTask(name: names.refresh, event: .didBecomeActive)
                         ^~~~~~~~~~~~~
                         | error: 'name:' is not a plain string literal, which the build needs to read it;
                         |   write the name between quotes
        enum Refresh { static func run() {} }
        """),
    Picture(
      "nameIsNotLiteral",
      text: #"""
        @EventTask(name: "a\tb", event: .didBecomeActive)
                         ^~~~~~
                         | error: 'name:' is not a plain string literal, which the build needs to read it;
                         |   write the name between quotes
        enum Refresh { static func run() {} }
        """#),
    Picture(
      "nameIsNotLiteral",
      text: ##"""
        @EventTask(name: #"refresh"#, event: .didBecomeActive)
                         ^~~~~~~~~~~
                         | error: 'name:' is not a plain string literal, which the build needs to read it;
                         |   write the name between quotes
                         | fix-it: write '"refresh"'
        enum Refresh { static func run() {} }
        """##,
      repaired:
        """
        @EventTask(name: "refresh", event: .didBecomeActive)
        enum Refresh { static func run() {} }
        """),
    Picture(
      "nameIsNotLiteral",
      text: ##"""
        @EventTask(
          name: """
                ^~~
                | error: 'name:' is not a plain string literal, which the build needs to read it; write the
                |   name between quotes
                | fix-it: write '"refresh"'
            refresh
            """, event: .didBecomeActive)
        enum Refresh { static func run() {} }
        """##,
      repaired:
        """
        @EventTask(
          name: "refresh", event: .didBecomeActive)
        enum Refresh { static func run() {} }
        """),
    Picture(
      "nameIsNotLiteral",
      text: ##"""
        @EventTask(name: #"the "first" one"#, event: .didBecomeActive)
                         ^~~~~~~~~~~~~~~~~~~
                         | error: 'name:' is not a plain string literal, which the build needs to read it;
                         |   write the name between quotes
        enum Refresh { static func run() {} }
        """##),
    Picture(
      text: """
        @EventTask(name: nil, event: .didBecomeActive)
        enum Refresh { static func run() {} }
        """),
    Picture(
      "emptyName",
      text: """
        @EventTask(name: "", event: .didBecomeActive)
                         ^~
                         | error: 'name:' is empty; write a name, or leave it out to use the type's path
                         | fix-it: remove 'name:'
        enum Refresh { static func run() {} }
        """,
      repaired:
        """
        @EventTask(event: .didBecomeActive)
        enum Refresh { static func run() {} }
        """),
  ]

  static let events = [
    Picture(
      "noEvent",
      text: """
        @EventTask
         ^~~~~~~~~
         | error: '@EventTask' names no event; add one, as in 'event: .didFinishLaunching'
        enum Refresh { static func run() {} }
        """),
    Picture(
      "bothEventAndEvents",
      text: """
        @EventTask(event: .didBecomeActive, events: .willTerminate, .idle)
                                            ^~~~~~
                                            | error: 'event:' and 'events:' are both given; list all events
                                            |   behind 'events:'
                   ^~~~~~~~~~~~~~~~~~~~~~~~
                   | note: 'event:' is here
        enum Refresh { static func run() {} }
        """),
    Picture(
      "eventsInBrackets",
      text: """
        @EventTask(events: [.willTerminate, .idle])
                           ^~~~~~~~~~~~~~~~~~~~~~~
                           | error: events are not written in an array, because each has its own payload;
                           |   write 'events: .first, .second'
                           | fix-it: remove the brackets
        enum Refresh { static func run() {} }
        """,
      repaired:
        """
        @EventTask(events: .willTerminate, .idle)
        enum Refresh { static func run() {} }
        """),
    Picture(
      "eventIsNotMember",
      text: """
        @EventTask(event: isFast ? .idle : .didBecomeActive)
                          ^~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~
                          | error: 'isFast ? .idle : .didBecomeActive' does not tell the build which event
                          |   it is; write a static member such as '.didFinishLaunching', or
                          |   'LifecycleEvent<Payload, Void>("name")'
        enum Refresh { static func run() {} }
        """),
    Picture(
      "eventIsNotMember",
      text: """
        @EventTask(event: LifecycleEvent<Order, Void>(name))
                          ^~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~
                          | error: 'LifecycleEvent<Order, Void>(name)' does not tell the build which event
                          |   it is; write a static member such as '.didFinishLaunching', or
                          |   'LifecycleEvent<Payload, Void>("name")'
        enum Refresh { static func run() {} }
        """),
    Picture(
      "eventIsNotMember",
      text: """
        @EventTask(event: LifecycleEvent<Order, Void>(
                          ^~~~~~~~~~~~~~~~~~~~~~~~~~~~
                          | error: 'LifecycleEvent<Order, Void>(…' does not tell the build which event it
                          |   is; write a static member such as '.didFinishLaunching', or
                          |   'LifecycleEvent<Payload, Void>("name")'
          name,
          once: true
        ))
        enum Refresh { static func run() {} }
        """),
    Picture(
      "eventIsNotMember",
      text: """
        @EventTask(event: .order("placed"))
                          ^~~~~~~~~~~~~~~~
                          | error: '.order("placed")' does not tell the build which event it is; write a
                          |   static member such as '.didFinishLaunching', or 'LifecycleEvent<Payload,
                          |   Void>("name")'
        enum Refresh { static func run() {} }
        """),
    Picture(
      "duplicateEvent",
      text: """
        @EventTask(events: .idle, .didBecomeActive, .idle)
                                                    ^~~~~
                                                    | error: event '.idle' is listed twice, so the task
                                                    |   would run twice; remove one of them
                                                    | fix-it: remove the second '.idle'
        enum Refresh { static func run() {} }
        """,
      repaired:
        """
        @EventTask(events: .idle, .didBecomeActive)
        enum Refresh { static func run() {} }
        """),
  ]

  static let predecessors = [
    Picture(
      "afterIsNotLiteral",
      text: """
        @EventTask(event: .idle, after: names)
                                        ^~~~~
                                        | error: 'after:' is not an array literal, which the build needs to
                                        |   read it; write '["First", .optional("Second")]'
        enum Refresh { static func run() {} }
        """),
    Picture(
      "afterIsNotName", "afterIsNotName", "afterIsNotName",
      text: #"""
        @EventTask(event: .idle, after: [Load.self, "A\(1)", .optional(name)])
                                         ^~~~~~~~~
                                         | error: 'Load.self' is a type, and 'after:' takes names; write a
                                         |   string, or use 'dependencies:'
                                                    ^~~~~~~
                                                    | error: '"A\(1)"' does not tell the build which task it
                                                    |   is; write a plain string literal or
                                                    |   '.optional("Name")'
                                                             ^~~~~~~~~~~~~~~
                                                             | error: '.optional(name)' does not tell the
                                                             |   build which task it is; write a plain
                                                             |   string literal or '.optional("Name")'
        enum Refresh { static func run() {} }
        """#),
    Picture(
      "duplicateAfter",
      text: """
        @EventTask(event: .idle, after: ["Load", .optional("Load")])
                                                 ^~~~~~~~~~~~~~~~~
                                                 | error: 'Load' is listed twice in 'after:'; remove one of
                                                 |   them
                                                 | fix-it: remove the second 'Load'
        enum Refresh { static func run() {} }
        """,
      repaired:
        """
        @EventTask(event: .idle, after: ["Load"])
        enum Refresh { static func run() {} }
        """),
    Picture(
      "followsItself",
      text: """
        @EventTask(event: .idle, after: ["App.Refresh", "Load"])
                                         ^~~~~~~~~~~~~
                                         | error: 'App.Refresh' is this task, which cannot come after
                                         |   itself; remove it
                                         | fix-it: remove 'App.Refresh'
        enum Refresh { static func run() {} }
        """,
      repaired:
        """
        @EventTask(event: .idle, after: ["Load"])
        enum Refresh { static func run() {} }
        """),
    Picture(
      "followsItself",
      text: """
        @EventTask(name: "refresh", event: .idle, after: [.optional("refresh")])
                                                          ^~~~~~~~~~~~~~~~~~~~
                                                          | error: 'refresh' is this task, which cannot come
                                                          |   after itself; remove it
                                                          | fix-it: remove 'refresh'
        enum Refresh { static func run() {} }
        """,
      repaired:
        """
        @EventTask(name: "refresh", event: .idle, after: [])
        enum Refresh { static func run() {} }
        """),
  ]

  static let limits = [
    Picture(
      "timeoutIsNotPositive",
      text: """
        @EventTask(event: .idle, timeout: .seconds(0))
                                                   ^
                                                   | error: a timeout of '.seconds(0)' is over before the
                                                   |   task starts; write a longer one
                                                   | fix-it: remove 'timeout:'
        enum Refresh { static func run() {} }
        """,
      repaired:
        """
        @EventTask(event: .idle)
        enum Refresh { static func run() {} }
        """),
    Picture(
      "timeoutIsNotPositive",
      text: """
        @EventTask(event: .idle, timeout: .milliseconds(-1.5), retry: .never)
                                                        ^~~~
                                                        | error: a timeout of '.milliseconds(-1.5)' is over
                                                        |   before the task starts; write a longer one
                                                        | fix-it: remove 'timeout:'
        enum Refresh { static func run() {} }
        """,
      repaired:
        """
        @EventTask(event: .idle, retry: .never)
        enum Refresh { static func run() {} }
        """),
    Picture(
      "attemptsBelowOne",
      text: """
        @EventTask(event: .idle, retry: .attempts(0, backoff: .none))
                                                  ^
                                                  | error: a task is tried at least once, and 'attempts' is
                                                  |   0; write 1 or more
                                                  | fix-it: replace '0' with '1'
        enum Refresh { static func run() {} }
        """,
      repaired:
        """
        @EventTask(event: .idle, retry: .attempts(1, backoff: .none))
        enum Refresh { static func run() {} }
        """),
  ]
}
