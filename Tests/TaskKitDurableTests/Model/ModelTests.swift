#if Durable && !os(Windows)
import Foundation
import GRDB
import ProcessTesting
import TaskKitDurable
import TaskKitDurableTesting
import Testing

/// Every order in which two workers can claim, end, snooze, die and rescue, and others cancel and retry, with up to three
/// jobs: no law of the model is broken, and both stores do what the model does.
@Suite(.serialized) struct ModelTests {
  /// How many jobs, whether ended ones are retried, and how many states there are, but for which job and worker is which.
  static let sizes = [(jobs: 3, retry: false, states: 7_719), (2, true, 3_263)]

  @Test(arguments: sizes + [(3, true, 69_972)])
  func `no order of events breaks a law`(jobs: Int, retry: Bool, states: Int) async throws {
    let graph = try await onThread { ModelGraph(JobModel(allowsRetry: retry), jobs: jobs) }
    #expect(graph.counterexample == nil)
    #expect(graph.nodes.count == states)
  }

  struct Mutant: Sendable, CustomTestStringConvertible {
    let mutation: JobModel.Mutation
    let law: JobModel.Law
    /// The shortest way to where it is seen.
    let trace: [String]

    init(_ mutation: JobModel.Mutation, _ law: JobModel.Law, _ trace: String...) {
      self.mutation = mutation
      self.law = law
      self.trace = trace
    }

    var testDescription: String { mutation.rawValue }
  }

  static let mutants = [
    Mutant(.claimLeavesTheJobReady, .aJobIsInOnePlace, "claim 0 by 0"),
    Mutant(.claimDoesNotCount, .attemptsAreCountedOnce, "claim 0 by 0"),
    Mutant(.claimRepeatsTheToken, .oneTokenIsValid, "claim 0 by 0", "cancel 0", "retry 0", "claim 0 by 1"),
    Mutant(.claimTakesWhatRuns, .oneTokenIsValid, "claim 0 by 0", "claim 0 by 1"),
    Mutant(
      .endsIgnoreTheToken, .oneTokenIsValid, "claim 0 by 0", "cancel 0", "retry 0", "claim 0 by 0",
      "succeed 0 by 0, stale"),
    Mutant(.successIsForgotten, .doneStaysDone, "claim 0 by 0", "succeed 0 by 0"),
    Mutant(
      .failureDoesNotEnd, .attemptsAreLimited, "claim 0 by 0", "fail 0 by 0", "claim 0 by 0", "fail 0 by 0",
      "claim 0 by 0"),
    Mutant(.snoozeCounts, .attemptsAreCountedOnce, "claim 0 by 0", "snooze 0 by 0"),
    Mutant(.snoozeLosesTheJob, .aJobIsInOnePlace, "claim 0 by 0", "snooze 0 by 0"),
    Mutant(.cancelLeavesTheAttempt, .aJobIsInOnePlace, "cancel 0"),
    Mutant(.cancelOfWhatIsDone, .doneStaysDone, "claim 0 by 0", "succeed 0 by 0", "cancel 0"),
    Mutant(.retryOfWhatIsDone, .doneStaysDone, "claim 0 by 0", "succeed 0 by 0", "retry 0"),
    Mutant(.retryKeepsItsAttempts, .attemptsAreCountedOnce, "claim 0 by 0", "cancel 0", "retry 0"),
    Mutant(.rescueOfTheLiving, .oneTokenIsValid, "claim 0 by 0", "rescue by 0"),
    Mutant(.rescueForgetsTheJob, .aJobIsInOnePlace, "claim 0 by 0", "die 0", "rescue by 1"),
    Mutant(.rescueDoesNotCountCrashes, .crashesAreCountedOnce, "claim 0 by 0", "die 0", "rescue by 1"),
    Mutant(.rescueGivesTheAttemptBack, .attemptsAreCountedOnce, "claim 0 by 0", "die 0", "rescue by 1"),
    Mutant(
      .rescueIgnoresTheLimit, .attemptsAreLimited, "claim 0 by 0", "fail 0 by 0", "claim 0 by 0", "die 0",
      "rescue by 1", "claim 0 by 1"),
    Mutant(.tickTakesWhatWaits, .aJobIsInOnePlace, "cancel 0", "tick"),
  ]

  @Test(arguments: mutants)
  func `a rule that is broken is found by a law`(_ mutant: Mutant) throws {
    let counterexample = try #require(ModelGraph(JobModel(mutation: mutant.mutation), jobs: 1).counterexample)
    #expect(counterexample.laws.contains(mutant.law))
    #expect(counterexample.trace == mutant.trace)
  }

  @Test func `every rule is broken once, and every law finds something`() {
    #expect(Set(Self.mutants.map(\.mutation)).count == JobModel.Mutation.allCases.count)
    #expect(Set(Self.mutants.map(\.law)).count == JobModel.Law.allCases.count)
  }

  @Test(arguments: sizes)
  func `the ledger in memory does what the model does, at every step from every state`(
    jobs: Int, retry: Bool, states: Int
  ) async throws {
    try await onThread {
      let graph = ModelGraph(JobModel(allowsRetry: retry), jobs: jobs)
      var subject = LedgerSubject(jobs: jobs)
      let (texts, actions) = try graph.differences(to: &subject)
      #expect(texts == [])
      #expect(actions == graph.edges)
    }
  }

  @Test(arguments: sizes)
  func `an SQLite transaction does what the model does, at every step from every state`(
    jobs: Int, retry: Bool, states: Int
  ) async throws {
    try await onThread {
      let graph = ModelGraph(JobModel(allowsRetry: retry), jobs: jobs)
      let database = try DatabaseQueue()
      try database.writeWithoutTransaction { db in
        // In a transaction of its own: what makes tables cannot be undone in parts quickly.
        try db.execute(sql: "BEGIN")
        var subject = try TransactionSubject(db, jobs: jobs)
        try db.execute(sql: "COMMIT; BEGIN")
        let (texts, actions) = try graph.differences(to: &subject)
        #expect(texts == [])
        #expect(actions == graph.edges)
        try db.execute(sql: "ROLLBACK")
      }
    }
  }

  @Test func `a subject that does something else is told`() throws {
    // The model says that a crash in the last attempt ends a job; to this one it does not.
    let graph = ModelGraph(JobModel(mutation: .none), jobs: 1)
    var subject = LedgerSubject(jobs: 1, maximumAttempts: 3)
    #expect(try graph.differences(to: &subject).texts.count == 10)
  }

  /// Random walks through the doors of the stores, owners and files with them.
  @Test(arguments: 1...12 as ClosedRange<UInt64>)
  func `two stores of the same jobs do what the model does`(seed: UInt64) async throws {
    try await ModelWalk(jobs: 3, MemoryStoreFixture()).run(steps: 120, seed: seed)
    try await ModelWalk(jobs: 3, try SQLiteFixture(isFast: true)).run(steps: 120, seed: seed)
  }
}
#endif
