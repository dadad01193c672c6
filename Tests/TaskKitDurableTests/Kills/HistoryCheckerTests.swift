import ProcessTesting
import Testing

/// The checker must find what it looks for: forged histories, one for each thing that must not be.
@Suite struct HistoryCheckerTests {
  struct Case: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let history: [String]
    let violations: [HistoryChecker.Violation]

    init(_ name: String, _ history: String, _ violations: HistoryChecker.Violation...) {
      testDescription = name
      self.history = history.split(separator: "\n").map(String.init)
      self.violations = violations
    }
  }

  static let cases: [Case] = [
    Case(
      "a good one",
      """
      a start
      a enqueued 1 steady
      a claimed 1 1 1
      a begin 1 1 1 steady
      a step 1 1
      a killed
      b start
      b rescued 1 ready
      b claimed 1 2 2
      b begin 1 2 2 steady
      b noting 1 2
      b noted 1 2
      b step 1 2
      b kept 1 2
      b end 1 2
      b ending 1 2
      b recorded 1 2 succeeded
      b stop
      - state 1 steady finished 2 0
      """),
    Case(
      "a good one, in which a checkpoint was written down and not acknowledged",
      """
      a begin 1 1 1 steady
      a found 1 1 0
      a checkpointed 1 1
      a killed
      b begin 1 2 2 steady
      b found 1 2 1
      b killed
      c begin 1 3 3 steady
      c found 1 3 2
      c checkpointed 1 3
      c end 1 3
      - state 1 steady finished 3 0
      """),
    Case(
      "one whose checkpoint is older than the one that was acknowledged",
      """
      a begin 1 1 1 steady
      a found 1 1 0
      a checkpointed 1 1
      a killed
      b begin 1 2 2 steady
      b checkpointed 1 2
      b killed
      c begin 1 3 3 steady
      c found 1 3 1
      c end 1 3
      - state 1 steady finished 3 0
      """, .checkpointLost(job: 1)),
    Case(
      "one whose checkpoint is gone",
      """
      a begin 1 1 1 steady
      a checkpointed 1 1
      a killed
      b begin 1 2 2 steady
      b found 1 2 0
      b end 1 2
      - state 1 steady finished 2 0
      """, .checkpointLost(job: 1)),
    Case(
      "a good one, in which a process goes on for a moment while it is killed",
      """
      a killed
      a begin 1 1 1 steady
      b begin 1 2 2 steady
      b end 1 2
      - state 1 steady finished 2 0
      """),
    Case(
      "one in which it goes on for longer",
      """
      a killed
      a begin 1 1 1 steady
      b begin 1 2 2 steady
      a end 1 1
      b end 1 2
      - state 1 steady finished 2 0
      """, .ranTwiceAtOnce(job: 1, runs: ["a"])),
    Case(
      "a job that somebody has cancelled",
      """
      a enqueued 1 steady
      a cancelling 1
      - state 1 steady cancelled 0 0
      """),
    Case(
      "a job that nobody has cancelled, and that is",
      """
      a enqueued 1 steady
      - state 1 steady cancelled 0 0
      """, .wrongEnd(job: 1, state: "cancelled")),
    Case(
      "a job that is cancelled although it was done",
      """
      a enqueued 1 steady
      a cancelling 1
      a begin 1 1 1 steady
      a end 1 1
      a recorded 1 1 succeeded
      - state 1 steady cancelled 1 0
      """, .wrongEnd(job: 1, state: "cancelled")),
    Case("an acknowledged job that is gone", "a enqueued 1 steady", .lost(job: 1)),
    Case(
      "a job that waits although all is over", "a enqueued 1 steady\n- state 1 steady ready 0 0",
      .left(job: 1, state: "ready")),
    Case(
      "two bodies of one job",
      """
      a begin 1 1 1 steady
      b begin 1 2 2 steady
      b end 1 2
      - state 1 steady finished 2 0
      """, .ranTwiceAtOnce(job: 1, runs: ["a", "b"])),
    Case(
      "a process that says something although its job runs elsewhere",
      """
      a begin 1 1 1 steady
      a killed
      b begin 1 2 2 steady
      a end 1 1
      b end 1 2
      - state 1 steady finished 2 0
      """, .ranTwiceAtOnce(job: 1, runs: ["a"])),
    Case(
      "a process that is killed once more, which is dead and whose job runs elsewhere",
      """
      a begin 1 1 1 steady
      a killed
      b begin 1 2 2 steady
      a killed
      a expired 1
      b end 1 2
      - state 1 steady finished 2 0
      """),
    Case(
      "two jobs of a key",
      """
      a begin 1 1 1 keyed
      b begin 2 2 1 keyed
      - state 1 keyed finished 1 0
      - state 2 keyed finished 1 0
      """, .sharedKey(jobs: [1, 2])),
    Case(
      "a job that runs although it was done",
      """
      a begin 1 1 1 steady
      a end 1 1
      a recorded 1 1 succeeded
      b begin 1 2 2 steady
      b end 1 2
      - state 1 steady finished 2 0
      """, .ranAfterDone(job: 1)),
    Case(
      "the end of an attempt that was overtaken",
      """
      a begin 1 1 1 steady
      a end 1 1
      b begin 1 2 2 steady
      a recorded 1 1 succeeded
      b end 1 2
      - state 1 steady finished 2 0
      """, .ranAfterDone(job: 1)),
    Case(
      "a step that runs although it was kept",
      """
      a begin 1 1 1 steady
      a step 1 1
      a kept 1 1
      a killed
      b begin 1 2 2 steady
      b step 1 2
      b end 1 2
      - state 1 steady finished 2 0
      """, .stepRanAgain(job: 1)),
    Case(
      "a fourth attempt",
      """
      a begin 1 1 1 failing
      a end 1 1
      a begin 1 2 2 failing
      a end 1 2
      a begin 1 3 3 failing
      a end 1 3
      a begin 1 4 4 failing
      a end 1 4
      - state 1 failing dead 4 0
      """, .tooManyAttempts(job: 1, count: 4)),
    Case(
      "a fourth attempt that calls itself the third",
      """
      a begin 1 1 1 failing
      a end 1 1
      a begin 1 2 2 failing
      a end 1 2
      a begin 1 3 3 failing
      a end 1 3
      a begin 1 4 3 failing
      a end 1 4
      - state 1 failing dead 3 0
      """, .tooManyAttempts(job: 1, count: 4)),
    Case(
      "a job that kills a fourth process",
      """
      a begin 1 1 1 poison
      a killed
      b begin 1 2 2 poison
      b killed
      c begin 1 3 3 poison
      c killed
      d begin 1 4 4 poison
      d killed
      - state 1 poison held 4 3
      """, .tooManyCrashes(job: 1, count: 4)),
    Case(
      "a poisonous job that has ended well", "a enqueued 1 poison\n- state 1 poison finished 1 0",
      .wrongEnd(job: 1, state: "finished")),
    Case(
      "a job that is held too early", "a enqueued 1 poison\n- state 1 poison held 1 1",
      .wrongEnd(job: 1, state: "held")),
    Case(
      "a success that was forgotten",
      """
      a begin 1 1 1 limited
      a end 1 1
      a recorded 1 1 succeeded
      - state 1 limited dead 1 0
      """, .wrongEnd(job: 1, state: "dead")),
    Case(
      "a token that was there before",
      """
      a begin 1 7 1 steady
      a killed
      b begin 1 7 2 steady
      b end 1 7
      - state 1 steady finished 2 0
      """, .tokenNotNew(job: 1, token: 7)),
    Case(
      "a good one, in which a process works on whose lease has passed",
      """
      a claimed 1 1 1
      a begin 1 1 1 steady
      a expired 1
      b claimed 1 2 2
      b begin 1 2 2 steady
      a noting 1 1
      b step 1 2
      b kept 1 2
      a step 1 1
      a end 1 1
      a ending 1 1
      a refused 1 1 succeeded
      b end 1 2
      b ending 1 2
      b recorded 1 2 succeeded
      - state 1 steady finished 2 1
      """),
    Case(
      "a good one, in which a process hears only then of what it was given",
      """
      a expired 1
      b claimed 1 2 2
      b begin 1 2 2 keyed
      a claimed 1 1 1
      a begin 1 1 1 keyed
      a end 1 1
      b end 1 2
      - state 1 keyed finished 2 1
      """),
    Case(
      "a lease that counts although it is later than the one that has passed",
      """
      a expired 1
      a claimed 1 2 2
      a begin 1 2 2 steady
      b claimed 1 3 3
      b begin 1 3 3 steady
      a end 1 2
      b end 1 3
      - state 1 steady finished 3 1
      """, .heldTwice(job: 1, runs: ["a", "b"]), .ranTwiceAtOnce(job: 1, runs: ["a", "b"])),
    Case(
      "a job that is given to another process before anybody has begun it",
      """
      a claimed 1 1 1
      b claimed 1 2 2
      - state 1 steady finished 2 1
      """, .heldTwice(job: 1, runs: ["a", "b"])),
    Case(
      "an end that is taken although it was sent too late",
      """
      a claimed 1 1 1
      a expired 1
      b claimed 1 2 2
      a ending 1 1
      a recorded 1 1 failed
      - state 1 steady finished 2 1
      """, .staleTaken(job: 1, token: 1)),
    Case(
      "an end that was sent in time, and whose answer comes late",
      """
      a claimed 1 1 1
      a ending 1 1
      b claimed 1 2 2
      a recorded 1 1 failed
      - state 1 steady finished 2 0
      """),
    Case(
      "a checkpoint that is taken although it was sent too late",
      """
      a claimed 1 1 1
      a expired 1
      b claimed 1 2 2
      a noting 1 1
      a noted 1 1
      - state 1 steady finished 2 1
      """, .staleTaken(job: 1, token: 1)),
    Case("half a line", "a enqu", .unreadable(line: "a enqu")),
  ]

  @Test(arguments: cases)
  func `the history checker finds`(_ forged: Case) {
    #expect(HistoryChecker.violations(in: forged.history) == forged.violations)
  }
}
