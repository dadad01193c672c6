#if Durable && !os(Windows)
import Foundation
import GRDB
import ProcessTesting
import TaskKit
import TaskKitDurable

/// A program whose jobs do their work in the database that they are kept in.
enum Sharing {
  enum Pool: SharedKey { typealias Value = DatabasePool }

  /// Books itself.
  struct Booking: DurableTask {
    static var registration: DurableRegistration {
      DurableRegistration(
        __kind: "booking", type: Self.self, collected: (), at: (#fileID, 1, 1),
        options: JobOptions(
          attempts: .unlimited, backoff: .none, crashes: 1_000_000, retention: JobRetention(finished: nil, failed: nil))
      ) { _, context in
        let pool = context.center[Pool.self]!
        let place = try await pool.write { db in
          try context.once("book", in: db) {
            try db.execute(sql: "INSERT INTO booking VALUES (?)", arguments: [context.id.rawValue])
            return db.lastInsertedRowID
          }
        }
        let job = try await pool.read { db in
          try Int64.fetchOne(db, sql: "SELECT job FROM booking WHERE rowid = ?", arguments: [place])
        }
        precondition(job == context.id.rawValue, "the step's result is another one's")
      }
    }
  }

  static func work() async throws {
    history.note("start")
    let pool = try DatabasePool(path: plan.file.path)
    let center = try TaskCenter(
      registry: TaskRegistry().adding(Booking.self), stores: [DurableStore("app", SQLiteStore(sharing: pool))],
      jobs: JobConfiguration(monitors: []))
    center[Pool.self] = pool
    try await center.jobs.open()
    try await pool.write { db in
      guard try !db.tableExists("booking") else { return }
      try db.execute(sql: "CREATE TABLE booking (job INTEGER NOT NULL)")
      for _ in 0..<plan.jobs { try center.enqueue(Booking(), in: db) }
    }
    center.start()
    await center.jobs.idle()
    await center.terminate()
    try pool.close()
    history.note("stop")
  }
}
#endif
