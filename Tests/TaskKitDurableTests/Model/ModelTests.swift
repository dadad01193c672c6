#if Durable
import Foundation
import GRDB
import TaskKitDurable
import Testing

@Suite(.serialized) struct ModelTests {
  @Test(arguments: [(3, false), (2, true), (3, true)])
  func `no order of claims, ends, cancellations, deaths and rescues breaks a law`(jobs: Int, retry: Bool) {
    let start = ContinuousClock.now
    let graph = ModelGraph(JobModel(allowsRetry: retry), jobs: jobs)
    #expect(graph.counterexample == nil)
    print("model", jobs, retry, graph.nodes.count, graph.edges, ContinuousClock.now - start)
  }

  @Test(arguments: JobModel.Mutation.allCases)
  func `a rule that is broken is found by a law`(_ mutation: JobModel.Mutation) throws {
    let graph = ModelGraph(JobModel(mutation: mutation), jobs: 1)
    let counterexample = try #require(graph.counterexample)
    print("case .\(mutation.rawValue): \(counterexample.laws.map { ".\($0.rawValue)" }), \(counterexample.trace)")
  }

  @Test(arguments: [(3, false), (2, true)])
  func `the ledger in memory does what the model does, at every step from every state`(jobs: Int, retry: Bool) throws {
    let start = ContinuousClock.now
    let graph = ModelGraph(JobModel(allowsRetry: retry), jobs: jobs)
    var subject = LedgerSubject(jobs: jobs)
    let (texts, actions) = try graph.differences(to: &subject)
    #expect(texts == [])
    #expect(actions == graph.edges)
    print("ledger", jobs, retry, graph.edges, ContinuousClock.now - start)
  }

  @Test(arguments: [(3, false), (2, true)])
  func `an SQLite transaction does what the model does, at every step from every state`(jobs: Int, retry: Bool)
    throws
  {
    let start = ContinuousClock.now
    let graph = ModelGraph(JobModel(allowsRetry: retry), jobs: jobs)
    let database = try DatabaseQueue()
    try database.writeWithoutTransaction { db in
      try db.execute(sql: "BEGIN")
      var subject = try TransactionSubject(db, jobs: jobs)
      let (texts, actions) = try graph.differences(to: &subject)
      #expect(texts == [])
      #expect(actions == graph.edges)
      try db.execute(sql: "ROLLBACK")
    }
    print("sqlite", jobs, retry, graph.edges, ContinuousClock.now - start)
  }
}
#endif
