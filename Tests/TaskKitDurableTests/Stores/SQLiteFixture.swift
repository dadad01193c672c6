import Foundation
import TaskKitDurable
import TaskKitDurableTesting

#if Durable && !os(Windows)
/// A file one of whose pages cannot be read: one with jobs, and nothing else.
enum DamagedFile {
  static let pageSize = 4096

  /// What the payload of a job has in it.
  static func mark(_ job: Int64) -> String { "payload-\(job)-" }

  static func name(_ job: Int64) -> String { mark(job) + String(repeating: "x", count: 200) }

  /// Makes a file with so many ready jobs, and damages it.
  ///
  /// - Returns: the jobs that cannot be read.
  static func make(_ fixture: SQLiteFixture, jobs: Int64, around job: Int64) async throws -> [Int64] {
    let store = SQLiteStore(at: fixture.file)
    _ = try await store.open(StoreEnvironment(owner: "test"))
    let new = (1...jobs).map { NewJob(kind: "Upload", payload: JobPayload(bytes: Data(name($0).utf8))) }
    _ = try await store.enqueue(new)
    await store.close()
    return try damage(fixture.file, around: job)
  }

  /// Overwrites the page of a job with zeros. Nobody has the file open.
  ///
  /// - Returns: the jobs that lie on it.
  static func damage(_ file: URL, around job: Int64) throws -> [Int64] {
    let handle = try FileHandle(forUpdating: file)
    defer { try? handle.close() }
    let bytes = try handle.readToEnd() ?? Data()
    guard let place = bytes.range(of: Data(mark(job).utf8)) else { throw Failure("job \(job) is not in the file") }
    let page = place.lowerBound / pageSize
    guard page > 0 else { throw Failure("the tables are listed there") }
    let text = String(decoding: bytes[page * pageSize..<(page + 1) * pageSize], as: UTF8.self)
    try handle.seek(toOffset: UInt64(page * pageSize))
    try handle.write(contentsOf: Data(count: pageSize))
    return text.matches(of: #/payload-(\d+)-/#).compactMap { Int64($0.output.1) }.sorted()
  }
}
#endif

/// Stores of one SQLite file in a folder that goes with the value.
final class SQLiteFixture: JobStoreFixture {
  let folder: URL

  /// - Parameter isFast: whether it may be a folder in memory, where flushes cost nothing.
  init(isFast: Bool = false) throws {
    let memory = URL(filePath: "/dev/shm")
    let isThere = access(memory.path, W_OK) == 0
    let parent = isFast && isThere ? memory : FileManager.default.temporaryDirectory
    folder = parent.appending(path: "TaskKitDurableTests-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
  }

  deinit { try? FileManager.default.removeItem(at: folder) }

  var file: URL { folder.appending(path: "jobs.sqlite") }

  func makeStore() -> any JobStore { SQLiteStore(at: file) }

  func kill(_ store: any JobStore) { (store as? SQLiteStore)?.die() }
}
