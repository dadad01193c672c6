/// Why a store could not do what it was asked for.
///
/// Nothing of it has happened then, but for the moments that ``JobStoreError/Reason/missing`` and
/// ``JobStoreError/Reason/inputOutput`` name.
public struct JobStoreError: Error, Hashable, Sendable, CustomStringConvertible {
  /// What is wrong, so that a program can decide by it.
  public enum Reason: Hashable, Sendable {
    /// No room is left on the disk, or a quota is used up: that, where SQLite does not tell, is ``inputOutput``.
    case full
    /// It can be read and not written.
    case readOnly
    /// It is not a database, or its content is damaged.
    case corrupt
    /// Others have held it for longer than it waits.
    case locked
    /// The folder or the file is not there, or not any more. Where it comes back, what was asked for in the moment in which
    /// it went may have happened after all.
    case missing
    /// It was written by a later version of TaskKit.
    case newer(version: Int, known: Int)
    /// The server cannot be reached.
    case unreachable
    /// The store was closed, or never opened.
    case closed
    /// What was given makes no sense; the text says why.
    case invalid
    /// The system could not read or write: the disk fails, or what is between; of a server, its disk. Where a disk could not flush
    /// what was asked for, nobody sees that, and whatever is written next takes its place; but where all processes that have the
    /// file open die before that, it may be there when it is opened again.
    case inputOutput
    /// None of these; the detail says more.
    case other
  }

  /// What is wrong.
  public let reason: Reason
  /// The path of the file, the address of the server.
  public let store: String
  /// What the system or the database said.
  public let detail: String

  public init(_ reason: Reason, store: String, detail: String) {
    self.reason = reason
    self.store = store
    self.detail = detail
  }

  /// Whether the same call may succeed when the cause is gone.
  public var isTransient: Bool {
    switch reason {
    case .full, .locked, .missing, .readOnly, .inputOutput, .unreachable: true
    case .corrupt, .newer, .closed, .invalid, .other: false
    }
  }

  public var description: String {
    switch reason {
    case .full: "no room is left for \(store): \(detail). Free some; nothing that was acknowledged is lost"
    case .readOnly: "\(store) cannot be written: \(detail). Change its permissions, or choose another place"
    case .corrupt where isOfServer:
      "\(store) is not sound: \(detail). Look after the server and its disk, or bring back what was saved of the database"
    case .corrupt:
      """
      \(store) is not a sound database: \(detail). Copy it first: 'sqlite3 "\(store)" .recover | sqlite3 new.sqlite' saves what \
      can be read in a new file (with the sqlite3 of sqlite.org, as those of some systems have no '.recover'); or move it away to \
      begin with an empty one
      """
    case .locked: "\(store) is held by others for too long: \(detail). Find out who, and let them end"
    case .missing where isOfServer:
      "\(store) is not there: \(detail). Make the database, bring back what was dropped of it, or look at the address"
    case .missing:
      "\(store) is not there: \(detail). Make its folder before the program starts, or bring back what was moved"
    case .newer(let version, let known):
      "\(store) has format \(version), and this build knows up to \(known). Update TaskKit in this program"
    case .unreachable: "\(store) cannot be reached: \(detail). Look after its server, the address and the way there"
    case .inputOutput: "\(store) could not be read or written: \(detail). Look after its disk"
    case .closed: "\(store) is closed: \(detail)"
    case .invalid: "\(detail) (\(store))"
    case .other: "\(store): \(detail)"
    }
  }

  /// Whether the store lies at a PostgreSQL server: what repairs a file is of no use there. No path of a file begins like that.
  private var isOfServer: Bool { store.hasPrefix("postgresql://") }
}
