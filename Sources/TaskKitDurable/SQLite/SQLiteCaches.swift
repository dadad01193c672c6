#if Durable
import Synchronization

/// What a writer knows of the file beyond a transaction: names and shelves, which are never changed or deleted.
///
/// Programs may name queues as they like, by the user for one. So what is committed is shared by all copies, and what a transaction
/// adds is its own until then: another name costs the same however many there are.
struct SQLiteCaches: Sendable {
  struct ShelfName: Hashable {
    let queue: Int64
    let kind: Int64
    let needs: String
    let isLimited: Bool
    let version: Int
  }

  struct Shelf: Sendable {
    let id: Int64
    let kind: Int64
    /// Nil where the file's list cannot be read: its jobs are given out, to be held for that.
    let needs: Set<String>?
    /// Whether all of its jobs have a limit, or none has.
    let isLimited: Bool
    /// That of its jobs' payloads, see ``shelfVersion(of:)``.
    let version: Int

    /// Whether it is that of a file that was older.
    var isMixed: Bool { version == 0 }
  }

  /// The version of the shelf for payloads of one. Of a shelf 0 says that they may be of any, so that for those of the version 0
  /// the lowest number stands.
  static func shelfVersion(of version: Int) -> Int { version == 0 ? .min : version }

  private struct Rows {
    var names: [String: Int64] = [:]
    var shelves: [ShelfName: Shelf] = [:]
    var shelvesByQueue: [Int64: [Shelf]] = [:]
    /// Those whose list of constraints cannot be read.
    var damagedShelves: Set<Int64> = []
    /// Those whose jobs may be of any version.
    var mixedShelves: Set<Int64> = []

    mutating func add(_ shelf: Shelf, as name: ShelfName) {
      shelves[name] = shelf
      shelvesByQueue[name.queue, default: []].append(shelf)
      if shelf.needs == nil { damagedShelves.insert(shelf.id) }
      if shelf.isMixed { mixedShelves.insert(shelf.id) }
    }

    /// - Parameter new: shelves of which none is known.
    mutating func add(_ new: Rows) {
      names.merge(new.names) { $1 }
      shelves.merge(new.shelves) { $1 }
      for (queue, shelves) in new.shelvesByQueue { shelvesByQueue[queue, default: []] += shelves }
      damagedShelves.formUnion(new.damagedShelves)
      mixedShelves.formUnion(new.mixedShelves)
    }
  }

  private final class Committed: Sendable {
    let rows = Mutex(Rows())
  }

  private let committed = Committed()
  private var added = Rows()
  private(set) var lastShelf: Int64 = 0
  /// Whether a damaged page was met: from then on it is gone from job to job, as whoever looks for several also steps to the next
  /// page, and no row of a job is deleted, as that may move others.
  var isDamaged = false
  /// The jobs that the file cannot give. They are passed by, and tried again by the next process.
  var unreadable: Set<Int64> = []

  // MARK: What is known

  func number(of name: String) -> Int64? { added.names[name] ?? committed.rows.withLock { $0.names[name] } }

  func shelf(_ name: ShelfName) -> Shelf? { added.shelves[name] ?? committed.rows.withLock { $0.shelves[name] } }

  func shelves(of queue: Int64) -> [Shelf] {
    let shelves = committed.rows.withLock { $0.shelvesByQueue[queue] } ?? []
    return added.shelvesByQueue[queue].map { shelves + $0 } ?? shelves
  }

  /// Whether the list of constraints of a shelf cannot be read.
  func isDamaged(shelf id: Int64) -> Bool {
    added.damagedShelves.contains(id) || committed.rows.withLock { $0.damagedShelves.contains(id) }
  }

  /// Whether the jobs of a shelf may be of any version.
  func isMixed(shelf id: Int64) -> Bool {
    added.mixedShelves.contains(id) || committed.rows.withLock { $0.mixedShelves.contains(id) }
  }

  // MARK: What is new

  mutating func add(_ number: Int64, of name: String) { added.names[name] = number }

  /// - Parameter name: may be that of another one: what Swift takes for the same text SQLite need not.
  mutating func add(_ shelf: Shelf, as name: ShelfName) {
    lastShelf = max(lastShelf, shelf.id)
    added.add(shelf, as: name)
  }

  /// What has been added is committed: all copies know it.
  mutating func noteCommit() {
    guard !added.names.isEmpty || !added.shelves.isEmpty else { return }
    committed.rows.withLock { [added] rows in rows.add(added) }
    added = Rows()
  }
}
#endif
