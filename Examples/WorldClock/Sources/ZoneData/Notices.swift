import Synchronization
import TaskKit

/// What is worth telling the user at the end: a table that is missing, a file that is broken.
///
/// Many tasks write to it at the same time, so the shared value is one object with a lock.
public final class Notices: SharedKey, Sendable {
  public typealias Value = Notices

  private let texts = Mutex<[String]>([])

  public init() {}

  public func add(_ text: String) {
    texts.withLock { $0.append(text) }
  }

  /// Takes one back, because it has been told in another way.
  public func remove(_ text: String) {
    texts.withLock { $0.removeAll { $0 == text } }
  }

  /// Everything so far, sorted, because the tasks that wrote it ran in parallel; once, although they may run again.
  public var all: [String] {
    texts.withLock { Set($0).sorted() }
  }
}
