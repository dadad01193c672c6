import Testing

@Suite struct TaskTargetTests {
  @Test(arguments: targets)
  func `an annotation where no task can be declared is an error`(picture: Picture) {
    picture.check()
  }

  static let targets = [
    Picture(
      "notAType",
      text: """
        @EventTask(event: .didBecomeActive)
         ^~~~~~~~~
         | error: '@EventTask' declares a task by a type, and this is a protocol; move it to an enum,
         |   struct, class or actor with a 'run'
        protocol Refresh {
          static func run()
        }
        """),
    Picture(
      "notAType",
      text: """
        @EventTask(event: .didBecomeActive)
         ^~~~~~~~~
         | error: '@EventTask' declares a task by a type, and this is an extension; move it to an enum,
         |   struct, class or actor with a 'run'
        extension Refresh {
          static func run() {}
        }
        """),
    Picture(
      "notAType",
      text: """
        @TaskModule
         ^~~~~~~~~~
         | error: '@TaskModule' declares a module by a type with one instance, and this is a protocol; move
         |   it to a class or an actor
        protocol Storage {}
        """),
    Picture(
      "notAType",
      text: """
        @DurableTask(kind: "upload")
         ^~~~~~~~~~~
         | error: '@DurableTask' declares a kind of job by a type, and this is a protocol; move it to a
         |   struct, enum or final class with a 'run'
        protocol Upload {}
        """),
    Picture(
      "secondAnnotation",
      text: """
        @EventTask(event: .didBecomeActive)
         ^~~~~~~~~
         | note: the first annotation is here
        @EventTask(event: .willTerminate)
         ^~~~~~~~~
         | error: 'Save' is a task already, and a type is one task; use one annotation, or a second type
         | fix-it: remove this '@EventTask'
        enum Save {
          static func run() {}
        }
        """,
      repaired:
        """
        @EventTask(event: .didBecomeActive)
        enum Save {
          static func run() {}
        }
        """),
    Picture(
      "localType",
      text: """
        func launch() {
          @EventTask(event: .didBecomeActive)
          enum Refresh {
               ^~~~~~~
               | error: 'Refresh' is declared inside a function, where the registry cannot see it; move it
               |   out
            static func run() {}
          }
        }
        """),
    Picture(
      "localType",
      text: """
        let launch = {
          @EventTask(event: .didBecomeActive)
          enum Refresh {
               ^~~~~~~
               | error: 'Refresh' is declared inside a function, where the registry cannot see it; move it
               |   out
            static func run() {}
          }
        }
        """),
  ]
}
