import Testing

/// `@ScheduleTask(…, durable: true)`, which TaskKitDurable declares. The test's list of macros knows it by its type's name.
@Suite struct DurableScheduleTests {
  @Test(arguments: samples)
  func `a durable schedule is a kind that makes its jobs itself`(sample: Sample) {
    sample.check()
  }

  static let samples = [
    Sample(
      "a name of its own",
      """
      @DurableSchedule(name: "digest", daily: "02:30", timeZone: .utc, durable: true, queue: "mail", attempts: 5)
      struct SendDigest: Codable {
        func run(_ context: DurableContext) async throws {}
      }
      """,
      expandsTo: """
        struct SendDigest: Codable {
          func run(_ context: DurableContext) async throws {}

          nonisolated static var registration: TaskKitDurable::DurableRegistration {
            TaskKitDurable::DurableRegistration(
              __kind: "digest", type: Self.self, collected: _isCollected,
              at: ("App/Tasks.swift", 1, 1),
              options: TaskKitDurable::JobOptions(
                queue: "mail",
                attempts: 5),
              schedule: TaskKitDurable::JobSchedule(
                __schedule: TaskKit::TaskSchedule(daily: "02:30", timeZone: .utc), job: { Self() }),
              run: { try await Self._jobBody($0, $1) })
          }

          static func _jobBody(_ job: Self, _ context: DurableContext) async throws {
            return try await job.run(context)
          }
        }

        extension SendDigest: nonisolated TaskKitDurable::__DurableTask {}
        """),
    Sample(
      "the type's name; the value that 'init()' makes",
      """
      enum Mail {
        @DurableSchedule(every: .seconds(60), count: 3, first: .immediately, grace: .seconds(9), durable: true)
        struct Fetch: Codable {
          var box: String
          init() { box = "in" }
          func run() {}
        }
      }
      """,
      expandsTo: """
        enum Mail {
          struct Fetch: Codable {
            var box: String
            init() { box = "in" }
            func run() {}

            nonisolated static var registration: TaskKitDurable::DurableRegistration {
              TaskKitDurable::DurableRegistration(
                __kind: "App.Mail.Fetch", type: Self.self, collected: _isCollected,
                at: ("App/Tasks.swift", 2, 3),
                schedule: TaskKitDurable::JobSchedule(
                  __schedule: TaskKit::TaskSchedule(every: .seconds(60), count: 3, first: .immediately, grace: .seconds(9)), job: { Self() }),
                run: { try await Self._jobBody($0, $1) })
            }

            static func _jobBody(_ job: Self, _ context: TaskKitDurable::DurableContext) async throws {
              return job.run()
            }
          }
        }

        extension Mail.Fetch: nonisolated TaskKitDurable::__DurableTask {}
        """),
  ]

  @Test(arguments: mistakes)
  func `what cannot be scheduled for good is an error`(picture: Picture) {
    picture.check()
  }

  static let mistakes = [
    Picture(
      "durableIsNotTrue",
      text: """
        @DurableSchedule(every: .seconds(60), durable: false)
                                                       ^~~~~
                                                       | error: whether a schedule is durable is known while
                                                       |   building; write 'true', or remove 'durable:'
                                                       | fix-it: remove 'durable:'
        struct Fetch: Codable { func run() {} }
        """,
      repaired:
        """
        @DurableSchedule(every: .seconds(60))
        struct Fetch: Codable { func run() {} }
        """),
    Picture(
      "scheduledJobHasNoInitialiser",
      text: """
        @DurableSchedule(every: .seconds(60), durable: true)
        struct Fetch: Codable {
               ^~~~~
               | error: each occurrence makes a new 'Fetch', which has no 'init()' in its body; give its
               |   properties values, or add 'init()'
          var box: String
          func run() {}
        }
        """),
    Picture(
      "scheduledJobHasNoInitialiser",
      text: """
        @DurableSchedule(every: .seconds(60), durable: true)
        enum Fetch: Codable {
             ^~~~~
             | error: each occurrence makes a new 'Fetch', which has no 'init()' in its body; give its
             |   properties values, or add 'init()'
          case once
          func run() {}
        }
        """),
    Picture(
      "intervalIsNotPositive", "jobHasNoValues", "jobRunIsStatic",
      text: """
        @DurableSchedule(every: .seconds(0), durable: true)
                                         ^
                                         | error: an interval of '.seconds(0)' would run the task without a
                                         |   pause; write a longer one
        enum Fetch {
        ^~~~
        | error: 'Fetch' has no cases, and a job is a value that is written down; make it a struct
        | fix-it: replace 'enum' with 'struct'
          static func run() {}
          ^~~~~~
          | error: 'run' is static, and it is a job, a value of the type, that runs; remove 'static'
          | fix-it: remove 'static'
        }
        """,
      repaired:
        """
        @DurableSchedule(every: .seconds(0), durable: true)
        struct Fetch {
          static func run() {}
        }
        """,
      """
      @DurableSchedule(every: .seconds(0), durable: true)
      enum Fetch {
        func run() {}
      }
      """),
  ]
}
