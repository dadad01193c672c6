#if Durable && !os(Windows)
import Foundation
@testable import TaskKitDurable
import Testing

/// What another queue costs a file that has very many, while all who write wait for it.
@Suite(.serialized) struct NameCostTests {
  /// - Returns: how long it takes a processor to get to know so many, each in a transaction of its own.
  private static func time(queues: Int64) -> Duration {
    func used() -> Duration {
      var used = timespec()
      clock_gettime(CLOCK_THREAD_CPUTIME_ID, &used)
      return .seconds(used.tv_sec) + .nanoseconds(used.tv_nsec)
    }
    var caches = SQLiteCaches()
    let before = used()
    for queue in 1...queues {
      // What was known before is kept until the transaction is committed.
      var own = caches
      own.add(queue, of: "queue \(queue)")
      own.add(
        SQLiteCaches.Shelf(id: queue, kind: 0, needs: [], isLimited: false, version: 1),
        as: SQLiteCaches.ShelfName(queue: queue, kind: 0, needs: "", isLimited: false, version: 1))
      own.noteCommit()
      caches = own
    }
    let time = used() - before
    #expect(caches.number(of: "queue \(queues)") == queues)
    #expect(caches.shelves(of: 1).map(\.id) == [1])
    return time
  }

  @Test func `ten times as many queues take about ten times as long, and not a hundred times`() {
    let few = Self.time(queues: 2_000)
    let many = Self.time(queues: 20_000)
    #expect(many < few * 30, "\(many) instead of \(few)")
  }

  @Test func `what a transaction adds nobody else knows before it is committed`() {
    let caches = SQLiteCaches()
    var (first, second) = (caches, caches)
    first.add(1, of: "queue")
    #expect(first.number(of: "queue") == 1)
    #expect(caches.number(of: "queue") == nil)
    // It has been rolled back, and another one has taken the number.
    second.add(1, of: "other")
    second.noteCommit()
    #expect(caches.number(of: "queue") == nil)
    #expect(caches.number(of: "other") == 1)
  }

  @Test func `two shelves are looked at also where only SQLite tells their names apart`() {
    var caches = SQLiteCaches()
    for (id, needs) in [(1, "caf\u{e9}"), (2, "cafe\u{301}")] as [(Int64, String)] {
      caches.add(
        SQLiteCaches.Shelf(id: id, kind: 0, needs: [needs], isLimited: false, version: 1),
        as: SQLiteCaches.ShelfName(queue: 7, kind: 0, needs: needs, isLimited: false, version: 1))
      caches.noteCommit()
    }
    #expect(caches.shelves(of: 7).map(\.id) == [1, 2])
  }
}
#endif
