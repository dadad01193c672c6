#if Durable
import Foundation

/// A way to keep jobs in a file and to do them.
protocol DurableEngine: AnyObject {
  static var name: String { get }
  /// How many jobs a turn has: fewer where each needs a commit of its own.
  var share: Double { get }

  /// Writes jobs down one after the other, each when the one before is on the disk.
  ///
  /// - Returns: nanoseconds of each.
  func enqueueInTurn(_ count: Int) async throws -> [Double]

  /// Writes jobs down from so many callers at once, each of whom waits for its own before the next.
  ///
  /// - Returns: nanoseconds of all.
  func enqueue(callers: Int, each: Int) async throws -> Double

  /// Does all jobs that wait, which do nothing, at most so many at a time.
  ///
  /// - Returns: nanoseconds of all.
  func work(batch: Int) async throws -> Double

  /// How many jobs wait.
  func waiting() async throws -> Int

  func close() async throws
}

extension DurableEngine {
  var name: String { Self.name }

  /// What a job brings with it: the size of a usual one.
  static var payload: Data { Data(#"{"text":"\#(String(repeating: "a", count: 189))"}"#.utf8) }
}
#endif
