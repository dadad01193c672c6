#if Durable

/// What a writer knows of the file beyond a transaction: names and shelves, which are never changed or deleted.
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

  var names: [String: Int64] = [:]
  var shelves: [ShelfName: Shelf] = [:]
  var shelvesByQueue: [Int64: [Shelf]] = [:]
  var lastShelf: Int64 = 0
  /// Those whose list of constraints cannot be read.
  var damagedShelves: Set<Int64> = []
  /// Those whose jobs may be of any version.
  var mixedShelves: Set<Int64> = []
  /// Whether a damaged page was met: from then on it is gone from job to job, as whoever looks for several also steps to the next
  /// page, and no row of a job is deleted, as that may move others.
  var isDamaged = false
  /// The jobs that the file cannot give. They are passed by, and tried again by the next process.
  var unreadable: Set<Int64> = []
}
#endif
