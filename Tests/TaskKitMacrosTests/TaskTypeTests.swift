import Testing

@Suite struct TaskTypeTests {
  @Test(arguments: declarations)
  func `a type that the registry could not see, or not tell apart, is an error`(picture: Picture) {
    picture.check()
  }

  @Test(arguments: names)
  func `a member that the macro adds itself is an error`(picture: Picture) {
    picture.check()
  }

  static let declarations = [
    Picture(
      "privateType",
      text: """
        @EventTask(event: .didBecomeActive)
        fileprivate enum Refresh {
        ^~~~~~~~~~~
        | error: 'Refresh' is fileprivate, so the registry in another file cannot see it; make it internal
        | fix-it: remove 'fileprivate'
          static func run() {}
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
      "typeInPrivateScope",
      text: """
        private enum Feed {
          @EventTask(event: .didBecomeActive)
          enum Refresh {
               ^~~~~~~
               | error: 'Refresh' is declared in 'Feed', which is private, so the registry in another file
               |   cannot see it; make 'Feed' internal, or move the task out
            static func run() {}
          }
        }
        """),
    Picture(
      "typeInPrivateScope",
      text: """
        private extension Feed {
          @EventTask(event: .didBecomeActive)
          enum Refresh {
               ^~~~~~~
               | error: 'Refresh' is declared in 'Feed', which is private, so the registry in another file
               |   cannot see it; make 'Feed' internal, or move the task out
            static func run() {}
          }
        }
        """),
    Picture(
      "genericType",
      text: """
        @EventTask(event: .didBecomeActive)
        struct Refresh<Feed> {
                      ^~~~~~
                      | error: 'Refresh' is generic, and a task is one type; remove the generic parameters
                      | fix-it: remove '<Feed>'
          static func run() {}
        }
        """,
      repaired:
        """
        @EventTask(event: .didBecomeActive)
        struct Refresh {
          static func run() {}
        }
        """),
    Picture(
      "typeInGenericType",
      text: """
        struct Feed<Item> {
          @EventTask(event: .didBecomeActive)
          enum Refresh {
               ^~~~~~~
               | error: 'Refresh' is declared in 'Feed', which is generic, and a task is one type; move it
               |   out
            static func run() {}
          }
        }
        """),
    Picture(
      "typeInGenericType",
      text: """
        extension Array where Element == Int {
          @EventTask(event: .didBecomeActive)
          enum Refresh {
               ^~~~~~~
               | error: 'Refresh' is declared in 'Array', which is generic, and a task is one type; move it
               |   out
            static func run() {}
          }
        }
        """),
    Picture(
      "typeInGenericType",
      text: """
        extension [Int] {
          @EventTask(event: .didBecomeActive)
          enum Refresh {
               ^~~~~~~
               | error: 'Refresh' is declared in a generic type, and a task is one type; move it out
            static func run() {}
          }
        }
        """),
    Picture(
      "notCopyable",
      text: """
        @EventTask(event: .didBecomeActive)
        struct Refresh: Sendable, ~Copyable, ~Sendable {
                                  ^~~~~~~~~
                                  | error: 'Refresh' is '~Copyable', and a task's type is handed on as any
                                  |   other type is; remove it
                                  | fix-it: remove '~Copyable'
          func run() {}
        }
        """,
      repaired:
        """
        @EventTask(event: .didBecomeActive)
        struct Refresh: Sendable, ~Sendable {
          func run() {}
        }
        """),
    Picture(
      "notCopyable",
      text: """
        @EventTask(event: .didBecomeActive)
        struct Refresh: ~Copyable {
                        ^~~~~~~~~
                        | error: 'Refresh' is '~Copyable', and a task's type is handed on as any other type
                        |   is; remove it
                        | fix-it: remove '~Copyable'
          func run() {}
        }
        """,
      repaired:
        """
        @EventTask(event: .didBecomeActive)
        struct Refresh {
          func run() {}
        }
        """),
    Picture(
      "distributedActor",
      text: """
        @EventTask(event: .didBecomeActive)
        distributed actor Refresh {
        ^~~~~~~~~~~
        | error: 'Refresh' is a distributed actor, whose instances only an actor system makes; remove
        |   'distributed', or let another type call one
        | fix-it: remove 'distributed'
          func run() {}
        }
        """,
      repaired:
        """
        @EventTask(event: .didBecomeActive)
        actor Refresh {
          func run() {}
        }
        """),
    Picture(
      text: """
        @EventTask(event: .didBecomeActive)
        distributed actor Refresh { static func run() {} }
        """),
    Picture(
      "classIsNotFinal",
      text: """
        @EventTask(event: .didBecomeActive)
        class Refresh {
        ^~~~~
        | error: class 'Refresh' is not final, and a subclass would declare the same task again; add 'final'
        | fix-it: add 'final'
          static func run() {}
        }
        """,
      repaired:
        """
        @EventTask(event: .didBecomeActive)
        final class Refresh {
          static func run() {}
        }
        """),
    Picture(
      "classIsNotFinal",
      text: """
        @EventTask(event: .didBecomeActive)
        open class Refresh {
             ^~~~~
             | error: class 'Refresh' is not final, and a subclass would declare the same task again; add
             |   'final'
             | fix-it: replace 'open' with 'public final'
          static func run() {}
        }
        """,
      repaired:
        """
        @EventTask(event: .didBecomeActive)
        public final class Refresh {
          static func run() {}
        }
        """),
  ]

  static let names = [
    Picture(
      "reservedName", "reservedName",
      text: """
        @EventTask(event: .didBecomeActive)
        enum Refresh {
          struct Output {}
                 ^~~~~~
                 | error: 'Output' is a member that '@EventTask' adds to 'Refresh'; give yours another name
          static let registration = 1
                     ^~~~~~~~~~~~
                     | error: 'registration' is a member that '@EventTask' adds to 'Refresh'; give yours
                     |   another name
          static func run() -> Output { Output() }
        }
        """),
    Picture(
      "reservedName",
      text: """
        @EventTask(event: .didBecomeActive)
        enum Refresh {
          #if DEBUG
          typealias Output = Int
                    ^~~~~~
                    | error: 'Output' is a member that '@EventTask' adds to 'Refresh'; give yours another
                    |   name
          #endif
          static func run() {}
        }
        """),
    Picture(
      "outputIsHidden", "outputIsHidden",
      text: """
        struct Output: Sendable {}
        @EventTask(event: .didBecomeActive)
        enum Refresh {
          static func run(_ payload: Output) -> [Output] { [] }
                                     ^~~~~~
                                     | error: 'Output' means what 'run' returns wherever it stands in
                                     |   'Refresh'; write what is around the one that you mean in front, as
                                     |   in 'App.Output', or give it another name
                                                 ^~~~~~
                                                 | error: 'Output' means what 'run' returns wherever it
                                                 |   stands in 'Refresh'; write what is around the one that
                                                 |   you mean in front, as in 'App.Output', or give it
                                                 |   another name
        }
        """),
    Picture(
      "outputIsHidden",
      text: """
        @EventTask(event: LifecycleEvent<Output, Void>("made"))
                                         ^~~~~~
                                         | error: 'Output' means what 'run' returns wherever it stands in
                                         |   'Refresh'; write what is around the one that you mean in front,
                                         |   as in 'App.Output', or give it another name
        enum Refresh {
          static func run() {}
        }
        """),
    Picture(
      text: """
        @EventTask(event: .didBecomeActive)
        enum Refresh {
          static func run() -> (App.Output, App::Output, Feed.Output.Output) { make() }
        }
        """),
  ]
}
