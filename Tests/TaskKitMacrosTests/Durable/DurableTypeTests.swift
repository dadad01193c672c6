import Testing

/// What is wrong with a type whose values should be jobs.
@Suite struct DurableTypeTests {
  @Test(arguments: types)
  func `a type that can have no jobs is an error`(picture: Picture) {
    picture.check()
  }

  static let types = [
    Picture(
      "privateType",
      text: """
        @DurableTask(kind: "upload")
        private struct Upload: Codable { func run() {} }
        ^~~~~~~
        | error: 'Upload' is private, so the registry in another file cannot see it; make it internal
        | fix-it: remove 'private'
        """,
      repaired:
        """
        @DurableTask(kind: "upload")
        struct Upload: Codable { func run() {} }
        """),
    Picture(
      "genericType",
      text: """
        @DurableTask(kind: "upload")
        struct Upload<File: Codable>: Codable { func run() {} }
                     ^~~~~~~~~~~~~~~
                     | error: 'Upload' is generic, and a task is one type; remove the generic parameters
                     | fix-it: remove '<File: Codable>'
        """,
      repaired:
        """
        @DurableTask(kind: "upload")
        struct Upload: Codable { func run() {} }
        """),
    Picture(
      "classIsNotFinal",
      text: """
        @DurableTask(kind: "upload")
        class Upload: Codable { func run() {} }
        ^~~~~
        | error: class 'Upload' is not final, and a subclass would declare the same task again; add 'final'
        | fix-it: add 'final'
        """,
      repaired:
        """
        @DurableTask(kind: "upload")
        final class Upload: Codable { func run() {} }
        """),
    Picture(
      "jobIsActor",
      text: """
        @DurableTask(kind: "upload")
        actor Upload { func run() {} }
        ^~~~~
        | error: 'Upload' is an actor, and a job is a value that is written down; make it a struct
        | fix-it: replace 'actor' with 'struct'
        """,
      repaired:
        """
        @DurableTask(kind: "upload")
        struct Upload { func run() {} }
        """),
    Picture(
      "jobHasNoValues",
      text: """
        @DurableTask(kind: "upload")
        enum Upload { func run() {} }
        ^~~~
        | error: 'Upload' has no cases, and a job is a value that is written down; make it a struct
        | fix-it: replace 'enum' with 'struct'
        """,
      repaired:
        """
        @DurableTask(kind: "upload")
        struct Upload { func run() {} }
        """),
    Picture(
      "secondAnnotation",
      text: """
        @EventTask(event: .idle)
         ^~~~~~~~~
         | note: the first annotation is here
        @DurableTask(kind: "upload")
         ^~~~~~~~~~~
         | error: 'Upload' is a task already, and a type is one task; use one annotation, or a second type
         | fix-it: remove this '@DurableTask'
        struct Upload: Codable { func run() {} }
        """,
      repaired:
        """
        @EventTask(event: .idle)
        struct Upload: Codable { func run() {} }
        """),
    Picture(
      "reservedName", "reservedName",
      text: """
        @DurableTask(kind: "upload")
        struct Upload: Codable {
          static let registration = 1
                     ^~~~~~~~~~~~
                     | error: 'registration' is a member that '@DurableTask' adds to 'Upload'; give yours
                     |   another name
          enum _jobBody {}
               ^~~~~~~~
               | error: '_jobBody' is a member that '@DurableTask' adds to 'Upload'; give yours another name
          func run() {}
        }
        """),
  ]

  @Test(arguments: runs)
  func `a 'run' that cannot be a job's is an error`(picture: Picture) {
    picture.check()
  }

  static let runs = [
    Picture(
      "noJobRun",
      text: """
        @DurableTask(kind: "upload")
        struct Upload: Codable {
               ^~~~~~
               | error: 'Upload' has no 'run' for its jobs; declare 'func run(_ context: DurableContext)
               |   async throws' in the type's own body, because one in an extension cannot be seen here
               | fix-it: add 'run'
          var file: URL
        }
        """,
      repaired:
        """
        @DurableTask(kind: "upload")
        struct Upload: Codable {
          var file: URL
          func run(_ context: DurableContext) async throws {}
        }
        """),
    Picture(
      "jobRunIsStatic",
      text: """
        @DurableTask(kind: "upload")
        struct Upload: Codable {
          static func run(_ context: DurableContext) async {}
          ^~~~~~
          | error: 'run' is static, and it is a job, a value of the type, that runs; remove 'static'
          | fix-it: remove 'static'
        }
        """,
      repaired:
        """
        @DurableTask(kind: "upload")
        struct Upload: Codable {
          func run(_ context: DurableContext) async {}
        }
        """),
    Picture(
      "jobRunIsMutating",
      text: """
        @DurableTask(kind: "upload")
        struct Upload: Codable {
          mutating func run() {}
          ^~~~~~~~
          | error: 'run' is mutating, and what it changes would be lost: each attempt reads the job as it
          |   was enqueued; remove 'mutating', and keep what a later attempt needs as a checkpoint of the
          |   context
          | fix-it: remove 'mutating'
        }
        """,
      repaired:
        """
        @DurableTask(kind: "upload")
        struct Upload: Codable {
          func run() {}
        }
        """),
    Picture(
      "jobRunTakesSeveralParameters",
      text: """
        @DurableTask(kind: "upload")
        struct Upload: Codable {
          func run(_ context: DurableContext, _ file: URL) {}
                   ^~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~
                   | error: 'run' has 2 parameters; it takes a 'DurableContext', or nothing
        }
        """),
    Picture(
      "runParameterIsLabelled",
      text: """
        @DurableTask(kind: "upload")
        struct Upload: Codable {
          func run(in context: DurableContext) {}
                   ^~
                   | error: the parameter of 'run' has the label 'in'; write '_' in its place
                   | fix-it: remove the label
        }
        """,
      repaired:
        """
        @DurableTask(kind: "upload")
        struct Upload: Codable {
          func run(_ context: DurableContext) {}
        }
        """),
    Picture(
      "jobRunTakesSomethingElse",
      text: """
        @DurableTask(kind: "upload")
        struct Upload: Codable {
          func run(_ context: TaskContext<Void>) {}
                              ^~~~~~~~~~~~~~~~~
                              | error: 'run' takes 'TaskContext<Void>', and a job gets a 'DurableContext';
                              |   what else it needs is part of its value
                              | fix-it: replace 'TaskContext<Void>' with 'DurableContext'
        }
        """,
      repaired:
        """
        @DurableTask(kind: "upload")
        struct Upload: Codable {
          func run(_ context: DurableContext) {}
        }
        """),
    Picture(
      "jobRunTakesSomethingElse",
      text: """
        @DurableTask(kind: "upload")
        struct Upload: Codable {
          func run(_ contexts: DurableContext...) {}
                               ^~~~~~~~~~~~~~
                               | error: 'run' takes 'DurableContext...', and a job gets a 'DurableContext';
                               |   what else it needs is part of its value
        }
        """),
    Picture(
      "genericJobRun", "opaqueOutput",
      text: """
        @DurableTask(kind: "upload")
        struct Upload: Codable {
          func run<File>() -> some Sequence { [] }
                  ^~~~~~
                  | error: 'run' is generic ('<File>'), and nobody would say which types are meant; write
                  |   the types themselves
                              ^~~~~~~~~~~~~
                              | error: 'run' returns 'some Sequence', and other tasks read its output by
                              |   type; write the type itself
        }
        """),
    Picture(
      "severalRuns",
      text: """
        @DurableTask(kind: "upload")
        struct Upload: Codable {
          func run() {}
               ^~~
               | note: the other one is here
          func run(_ context: DurableContext) {}
               ^~~
               | error: 'Upload' has two methods 'run' that could be its task; give one another name
        }
        """),
    Picture(
      "conditionalRun",
      text: """
        @DurableTask(kind: "upload")
        struct Upload: Codable {
          #if os(Linux)
          func run() {}
               ^~~
               | error: 'run' inside '#if' cannot be seen; declare it outside, with the '#if' in its body
          #endif
        }
        """),
  ]
}
