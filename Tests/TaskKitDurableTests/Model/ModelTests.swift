#if Durable && !os(Windows)
import Foundation
import GRDB
import ProcessTesting
import TaskKitDurable
import TaskKitDurableTesting
import Testing

/// Every order in which two workers can claim, end, snooze, die, lose their leases and rescue, and others cancel and
/// retry, with up to three jobs: no law of the model is broken, and both stores do what the model does.
@Suite(.serialized) struct ModelTests {
  /// How many jobs, what may happen to them, and how many states there are, but for which job and worker is which.
  struct Size: Sendable, CustomTestStringConvertible {
    let jobs: Int
    let model: JobModel
    let states: Int

    init(jobs: Int, retry: Bool = false, expiry: Bool = false, states: Int) {
      self.jobs = jobs
      model = JobModel(allowsRetry: retry, allowsExpiry: expiry)
      self.states = states
    }

    var testDescription: String {
      "\(jobs) jobs\(model.allowsRetry ? ", retried" : "")\(model.allowsExpiry ? ", leases" : "")"
    }
  }

  /// Those that the stores are held against, too.
  static let sizes = [
    Size(jobs: 3, states: 7_719), Size(jobs: 2, retry: true, expiry: true, states: 3_748),
  ]

  @Test(
    arguments: sizes + [Size(jobs: 3, retry: true, states: 69_972), Size(jobs: 3, expiry: true, states: 35_204)])
  func `no order of events breaks a law`(size: Size) async throws {
    let graph = try await onThread { ModelGraph(size.model, jobs: size.jobs) }
    #expect(graph.counterexample == nil)
    #expect(graph.nodes.count == size.states)
  }

  struct Mutant: Sendable, CustomTestStringConvertible {
    let mutation: JobModel.Mutation
    let law: JobModel.Law
    /// Whether leases may pass.
    let expiry: Bool
    /// The shortest way to where it is seen.
    let trace: [String]

    init(_ mutation: JobModel.Mutation, _ law: JobModel.Law, expiry: Bool = false, _ trace: String...) {
      self.mutation = mutation
      self.law = law
      self.expiry = expiry
      self.trace = trace
    }

    var testDescription: String { mutation.rawValue + (expiry ? ", leases" : "") }
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
    Mutant(.expiryLeavesTheAttempt, .oneTokenIsValid, expiry: true, "claim 0 by 0", "expire 0"),
    Mutant(
      .lateEndIsTaken, .oneTokenIsValid, expiry: true, "claim 0 by 0", "expire 0", "succeed 0 by 0, stale"),
    Mutant(
      .endsIgnoreTheToken, .oneTokenIsValid, expiry: true, "claim 0 by 0", "expire 0", "claim 0 by 0",
      "succeed 0 by 0, stale"),
    Mutant(
      .claimRepeatsTheToken, .oneTokenIsValid, expiry: true, "claim 0 by 0", "expire 0", "claim 0 by 1"),
  ]

  @Test(arguments: mutants)
  func `a rule that is broken is found by a law`(_ mutant: Mutant) throws {
    let model = JobModel(allowsExpiry: mutant.expiry, mutation: mutant.mutation)
    let counterexample = try #require(ModelGraph(model, jobs: 1).counterexample)
    #expect(counterexample.laws.contains(mutant.law))
    #expect(counterexample.trace == mutant.trace)
  }

  @Test func `every rule is broken once, and every law finds something`() {
    #expect(Set(Self.mutants.map(\.mutation)).count == JobModel.Mutation.allCases.count)
    #expect(Set(Self.mutants.map(\.law)).count == JobModel.Law.allCases.count)
  }

  @Test(arguments: sizes)
  func `the ledger in memory does what the model does, at every step from every state`(size: Size) async throws {
    try await onThread {
      let graph = ModelGraph(size.model, jobs: size.jobs)
      var subject = LedgerSubject(jobs: size.jobs)
      let (texts, actions) = try graph.differences(to: &subject)
      #expect(texts == [])
      #expect(actions == graph.edges)
    }
  }

  @Test(arguments: sizes)
  func `an SQLite transaction does what the model does, at every step from every state`(size: Size) async throws {
    try await onThread {
      let graph = ModelGraph(size.model, jobs: size.jobs)
      let database = try DatabaseQueue()
      try database.writeWithoutTransaction { db in
        // In a transaction of its own: what makes tables cannot be undone in parts quickly.
        try db.execute(sql: "BEGIN")
        var subject = try TransactionSubject(db, jobs: size.jobs)
        try db.execute(sql: "COMMIT; BEGIN")
        let (texts, actions) = try graph.differences(to: &subject)
        #expect(texts == [])
        #expect(actions == graph.edges)
        try db.execute(sql: "ROLLBACK")
      }
    }
  }

  @Test func `a worker whose lease has passed while it lives may end what it held in each way, too late`() {
    let graph = ModelGraph(JobModel(allowsRetry: false, allowsExpiry: true), jobs: 1)
    // Nothing but its lease has been taken from it: the job is another one's, given up, or back with itself.
    var late: Set<String> = []
    for node in graph.nodes where node.action == .expire(0) {
      for action in graph.model.actions(in: node.state) where action.kind.hasSuffix("stale") {
        let (next, isAccepted) = graph.model.next(node.state, action)
        #expect(isAccepted == false)
        #expect(next.jobs[0].places == node.state.jobs[0].places)
        late.insert(action.kind)
      }
    }
    #expect(late == ["succeed, stale", "fail, stale", "snooze, stale"])
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
    let shared = try SharingFixture(isCounted: true, isFast: true)
    try await ModelWalk(jobs: 3, shared).run(steps: 120, seed: seed)
  }
}
#endif
