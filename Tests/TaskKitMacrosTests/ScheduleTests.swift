import Testing

@Suite struct ScheduleTests {
  @Test(arguments: times)
  func `a schedule says when, with an interval and a count that are more than nothing`(picture: Picture) {
    picture.check()
  }

  @Test(arguments: calendars)
  func `what is wrong in the text of a calendar rule is drawn below it`(picture: Picture) {
    picture.check()
  }

  @Test(arguments: samples)
  func `what says when is an occasion, and the rest are options`(sample: Sample) {
    sample.check()
  }

  static let times = [
    Picture(
      "noSchedule",
      text: """
        @ScheduleTask
         ^~~~~~~~~~~~
         | error: '@ScheduleTask' does not say when; add 'every:', 'at:', 'cron:' or 'daily:', as in 'every:
         |   .seconds(30)'
        enum Refresh { static func run() {} }
        """),
    Picture(
      "noSchedule",
      text: """
        @ScheduleTask(name: "refresh", count: 3, dependencies: [Load.self])
         ^~~~~~~~~~~~
         | error: '@ScheduleTask' does not say when; add 'every:', 'at:', 'cron:' or 'daily:', as in 'every:
         |   .seconds(30)'
        enum Refresh { static func run() {} }
        """),
    Picture(
      "intervalIsNotPositive",
      text: """
        @ScheduleTask(every: .seconds(0))
                                      ^
                                      | error: an interval of '.seconds(0)' would run the task without a
                                      |   pause; write a longer one
        enum Refresh { static func run() {} }
        """),
    Picture(
      "intervalIsNotPositive",
      text: """
        @ScheduleTask(at: Campaign.start, every: .zero, count: 3)
                                                 ^~~~~
                                                 | error: an interval of '.zero' would run the task without
                                                 |   a pause; write a longer one
        enum Refresh { static func run() {} }
        """),
    Picture(
      "intervalIsNotPositive",
      text: """
        @ScheduleTask(every: Duration.milliseconds(-1.5))
                                                   ^~~~
                                                   | error: an interval of 'Duration.milliseconds(-1.5)'
                                                   |   would run the task without a pause; write a longer
                                                   |   one
        enum Refresh { static func run() {} }
        """),
    Picture(
      "dateIsBeyondCounting",
      text: """
        @ScheduleTask(at: 1_700_000_000_000)
                          ^~~~~~~~~~~~~~~~~
                          | error: 'at:' says no date before the year 2262, in which the counting of a
                          |   center ends; write seconds since 1970, not milliseconds
        enum Refresh { static func run() {} }
        """),
    Picture(
      "dateIsBeyondCounting",
      text: """
        @ScheduleTask(at: 9_223_372_037.0, every: .seconds(5))
                          ^~~~~~~~~~~~~~~
                          | error: 'at:' says no date before the year 2262, in which the counting of a
                          |   center ends; write seconds since 1970, not milliseconds
        enum Refresh { static func run() {} }
        """),
    Picture(
      text: """
        @ScheduleTask(at: 9_223_372_036, every: .seconds(5))
        enum Refresh { static func run() {} }
        """),
    Picture(
      "countOfOneDate",
      text: """
        @ScheduleTask(at: Campaign.start, every: nil, count: 3)
                                                             ^
                                                             | error: a date without an interval is one run,
                                                             |   and 'count:' is 3; add 'every:', or remove
                                                             |   'count:'
                                                             | fix-it: remove 'count:'
        enum Refresh { static func run() {} }
        """,
      repaired:
        """
        @ScheduleTask(at: Campaign.start, every: nil)
        enum Refresh { static func run() {} }
        """),
    Picture(
      "countOfOneDate",
      text: """
        @ScheduleTask(at: Campaign.start, count: 3)
                                                 ^
                                                 | error: a date without an interval is one run, and
                                                 |   'count:' is 3; add 'every:', or remove 'count:'
                                                 | fix-it: remove 'count:'
        enum Refresh { static func run() {} }
        """,
      repaired:
        """
        @ScheduleTask(at: Campaign.start)
        enum Refresh { static func run() {} }
        """),
    Picture(
      "missedBelowOne", "durationIsNegative", "durationIsNegative", "durationIsNegative",
      text: """
        @ScheduleTask(
          every: .seconds(1),
          missed: .all(max: 0),
                            ^
                            | error: '.all(max: 0)' makes up for none of the missed runs; write '.skip', or
                            |   1 or more
                            | fix-it: write '.skip'
          grace: .seconds(-1),
                          ^~
                          | error: 'grace:' of '.seconds(-1)' is less than nothing; write '.zero', or more
                          | fix-it: write '.zero'
          jitter: .random(upTo: .milliseconds(-5)),
                                              ^~
                                              | error: 'jitter:' of '.milliseconds(-5)' is less than
                                              |   nothing; write '.zero', or more
                                              | fix-it: write '.zero'
          tolerance: .seconds(-0.5))
                              ^~~~
                              | error: 'tolerance:' of '.seconds(-0.5)' is less than nothing; write '.zero',
                              |   or more
                              | fix-it: write '.zero'
        enum Refresh { static func run() {} }
        """,
      repaired:
        """
        @ScheduleTask(
          every: .seconds(1),
          missed: .skip,
          grace: .seconds(-1),
          jitter: .random(upTo: .milliseconds(-5)),
          tolerance: .seconds(-0.5))
        enum Refresh { static func run() {} }
        """,
      """
      @ScheduleTask(
        every: .seconds(1),
        missed: .all(max: 0),
        grace: .zero,
        jitter: .random(upTo: .milliseconds(-5)),
        tolerance: .seconds(-0.5))
      enum Refresh { static func run() {} }
      """,
      """
      @ScheduleTask(
        every: .seconds(1),
        missed: .all(max: 0),
        grace: .seconds(-1),
        jitter: .random(upTo: .zero),
        tolerance: .seconds(-0.5))
      enum Refresh { static func run() {} }
      """,
      """
      @ScheduleTask(
        every: .seconds(1),
        missed: .all(max: 0),
        grace: .seconds(-1),
        jitter: .random(upTo: .milliseconds(-5)),
        tolerance: .zero)
      enum Refresh { static func run() {} }
      """),
    Picture(
      text: """
        @ScheduleTask(
          at: Campaign.start, every: .seconds(5), count: 3, missed: .all(max: 1), grace: .zero,
          jitter: .spread(upTo: .seconds(5)), tolerance: .zero)
        enum Refresh { static func run() {} }
        """),
    Picture(
      "countBelowOne",
      text: """
        @ScheduleTask(every: .seconds(1), count: 0, first: .immediately)
                                                 ^
                                                 | error: 'count:' is 0, so the task would never run; write
                                                 |   1 or more, or leave it out
                                                 | fix-it: replace '0' with '1'
        enum Refresh { static func run() {} }
        """,
      repaired:
        """
        @ScheduleTask(every: .seconds(1), count: 1, first: .immediately)
        enum Refresh { static func run() {} }
        """),
    Picture(
      "countBelowOne",
      text: """
        @ScheduleTask(daily: "02:30", count: -2)
                                             ^~
                                             | error: 'count:' is -2, so the task would never run; write 1
                                             |   or more, or leave it out
                                             | fix-it: replace '-2' with '1'
        enum Refresh { static func run() {} }
        """,
      repaired:
        """
        @ScheduleTask(daily: "02:30", count: 1)
        enum Refresh { static func run() {} }
        """),
    Picture(
      "intervalIsNotPositive", "countBelowOne", "timeoutIsNotPositive",
      text: """
        @ScheduleTask(every: .nanoseconds(0), count: -7, timeout: .zero)
                                          ^
                                          | error: an interval of '.nanoseconds(0)' would run the task
                                          |   without a pause; write a longer one
                                                     ^~
                                                     | error: 'count:' is -7, so the task would never run;
                                                     |   write 1 or more, or leave it out
                                                     | fix-it: replace '-7' with '1'
                                                                  ^~~~~
                                                                  | error: a timeout of '.zero' is over
                                                                  |   before the task starts; write a longer
                                                                  |   one
                                                                  | fix-it: remove 'timeout:'
        enum Refresh { static func run() {} }
        """,
      repaired:
        """
        @ScheduleTask(every: .nanoseconds(0), count: 1, timeout: .zero)
        enum Refresh { static func run() {} }
        """,
      """
      @ScheduleTask(every: .nanoseconds(0), count: -7)
      enum Refresh { static func run() {} }
      """),
  ]

  static let calendars = [
    Picture(
      "wrongCron",
      text: """
        @ScheduleTask(cron: "0 0 30 2 *", timeZone: .utc)
                            ^~~~~~~~~~~~
                            | error: there is no day '30' in FEB; write a day that the month has, or 'L' for
                            |   the last one
                            | fix-it: replace '30' with 'L'
                            ^~~~~~~~~~~~
                            | note: it is this part:
                            |   0 0 30 2 *
                            |       ^~
        enum Refresh { static func run() {} }
        """,
      repaired:
        """
        @ScheduleTask(cron: "0 0 L 2 *", timeZone: .utc)
        enum Refresh { static func run() {} }
        """),
    Picture(
      "wrongCron", "wrongCron",
      text: """
        @ScheduleTask(cron: "61 24 * * *")
                            ^~~~~~~~~~~~~
                            | error: minute '61' is more than 59; write a number from 0 to 59
                            ^~~~~~~~~~~~~
                            | note: it is this part:
                            |   61 24 * * *
                            |   ^~
                            ^~~~~~~~~~~~~
                            | error: hour '24' is more than 23; write '0' for midnight
                            | fix-it: replace '24' with '0'
                            ^~~~~~~~~~~~~
                            | note: it is this part:
                            |   61 24 * * *
                            |      ^~
        enum Refresh { static func run() {} }
        """,
      repaired:
        """
        @ScheduleTask(cron: "61 0 * * *")
        enum Refresh { static func run() {} }
        """),
    Picture(
      "cronIsNotLiteral", "countBelowOne",
      text: """
        @ScheduleTask(cron: Rules.nightly, count: 0)
                            ^~~~~~~~~~~~~
                            | error: 'cron:' is not a plain string literal, which is checked while
                            |   compiling; write the expression between quotes
                                                  ^
                                                  | error: 'count:' is 0, so the task would never run; write
                                                  |   1 or more, or leave it out
                                                  | fix-it: replace '0' with '1'
        enum Refresh { static func run() {} }
        """,
      repaired:
        """
        @ScheduleTask(cron: Rules.nightly, count: 1)
        enum Refresh { static func run() {} }
        """),
    Picture(
      "wrongDaily",
      text: """
        @ScheduleTask(daily: "24:00", clockChanges: .once)
                             ^~~~~~~
                             | error: hour '24' is more than 23; write '00' for midnight
                             | fix-it: replace '24' with '00'
                             ^~~~~~~
                             | note: it is this part:
                             |   24:00
                             |   ^~
        enum Refresh { static func run() {} }
        """,
      repaired:
        """
        @ScheduleTask(daily: "00:00", clockChanges: .once)
        enum Refresh { static func run() {} }
        """),
    Picture(
      "dailyIsNotLiteral",
      text: """
        @ScheduleTask(daily: Rules.time)
                             ^~~~~~~~~~
                             | error: 'daily:' is not a plain string literal, which is checked while
                             |   compiling; write the time between quotes, as in 'daily: "02:30"'
        enum Refresh { static func run() {} }
        """),
  ]

  static let samples = [
    Sample(
      "an interval with everything that can be said of it",
      """
      @ScheduleTask(
        name: "feed", priority: .low, every: .seconds(30), count: 3, first: .immediately, pace: .fixedDelay,
        clock: .suspending, missed: .skip, overlap: .queueOne, jitter: .none, tolerance: .seconds(1),
        dependencies: [Load.self], after: ["News"], timeout: .seconds(5), runs: .once, lane: .network
      )
      enum RefreshFeed {
        static func run() async throws {}
      }
      """,
      expandsTo: """
        enum RefreshFeed {
          static func run() async throws {}

          nonisolated static var registration: TaskKit::TaskRegistration {
            TaskKit::TaskRegistration(
              __name: "feed", type: self, collected: _isCollected,
              at: TaskKit::TaskLocation("App/Tasks.swift", 1, 1),
              occasions: [TaskKit::TaskOccasion(.__scheduled(TaskKit::TaskSchedule(every: .seconds(30), count: 3, \
        first: .immediately, pace: .fixedDelay, clock: .suspending, missed: .skip, overlap: .queueOne, \
        jitter: .none, tolerance: .seconds(1))), __run: run)],
              priority: .low,
              dependencies: [TaskKit::TaskDependency(__type: Load.self, "Load")],
              after: ["News"],
              timeout: .seconds(5),
              runs: .once,
              lane: .network)
          }
        }

        extension RefreshFeed: nonisolated TaskKit::__LifecycleTask {}
        """),
    Sample(
      "a date, and what 'run' returns",
      """
      @ScheduleTask(at: Campaign.start, every: .seconds(86_400))
      public struct ShowOffer {
        public init() {}

        @MainActor public func run(_ context: TaskContext<ScheduledRun>) -> Int { 1 }
      }
      """,
      expandsTo: """
        public struct ShowOffer {
          public init() {}

          @MainActor public func run(_ context: TaskContext<ScheduledRun>) -> Int { 1 }

          public nonisolated static var registration: TaskKit::TaskRegistration {
            TaskKit::TaskRegistration(
              __name: "App.ShowOffer", type: self, collected: _isCollected,
              at: TaskKit::TaskLocation("App/Tasks.swift", 1, 1),
              occasions: [TaskKit::TaskOccasion(.__scheduled(TaskKit::TaskSchedule(at: Campaign.start, every: .seconds(86_400))), __outputWithContext: _taskBody)])
          }

          @MainActor static func _taskBody(_ context: TaskContext<ScheduledRun>) -> Int {
            return Self().run(context)
          }

          public typealias Output = Int
        }

        extension ShowOffer: nonisolated TaskKit::__LifecycleTask {}
        """),
    Sample(
      "seconds since 1970",
      """
      @ScheduleTask(at: 1_767_225_650)
      enum Open {
        static func run(_ run: ScheduledRun) {}
      }
      """,
      expandsTo: """
        enum Open {
          static func run(_ run: ScheduledRun) {}

          nonisolated static var registration: TaskKit::TaskRegistration {
            TaskKit::TaskRegistration(
              __name: "App.Open", type: self, collected: _isCollected,
              at: TaskKit::TaskLocation("App/Tasks.swift", 1, 1),
              occasions: [TaskKit::TaskOccasion(.__scheduled(TaskKit::TaskSchedule(at: 1_767_225_650)), __runWithPayload: run(_:))])
          }
        }

        extension Open: nonisolated TaskKit::__LifecycleTask {}
        """),
    Sample(
      "a cron expression",
      """
      @ScheduleTask(cron: "30 2 * * MON-FRI", timeZone: "Europe/Berlin", onFailure: .ignore)
      enum SendInvoices {
        static func run() throws {}
      }
      """,
      expandsTo: """
        enum SendInvoices {
          static func run() throws {}

          nonisolated static var registration: TaskKit::TaskRegistration {
            TaskKit::TaskRegistration(
              __name: "App.SendInvoices", type: self, collected: _isCollected,
              at: TaskKit::TaskLocation("App/Tasks.swift", 1, 1),
              occasions: [TaskKit::TaskOccasion(.__scheduled(TaskKit::TaskSchedule(cron: "30 2 * * MON-FRI", timeZone: "Europe/Berlin")), __run: run)],
              onFailure: .ignore)
          }
        }

        extension SendInvoices: nonisolated TaskKit::__LifecycleTask {}
        """),
    Sample(
      "a time of day",
      """
      @ScheduleTask(daily: "02:30", timeZone: .utc, clockChanges: .skip)
      enum CleanUp {
        static func run() {}
      }
      """,
      expandsTo: """
        enum CleanUp {
          static func run() {}

          nonisolated static var registration: TaskKit::TaskRegistration {
            TaskKit::TaskRegistration(
              __name: "App.CleanUp", type: self, collected: _isCollected,
              at: TaskKit::TaskLocation("App/Tasks.swift", 1, 1),
              occasions: [TaskKit::TaskOccasion(.__scheduled(TaskKit::TaskSchedule(daily: "02:30", timeZone: .utc, clockChanges: .skip)), __run: run)])
          }
        }

        extension CleanUp: nonisolated TaskKit::__LifecycleTask {}
        """),
  ]
}
