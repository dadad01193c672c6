import Foundation
import GRDB
import TaskKit
import TaskKitDurable

// A snippet is compiled, not run.
let center: TaskCenter = { fatalError() }()
let context: DurableContext = { fatalError() }()
let pool: DatabasePool = { fatalError() }()
let store: SQLiteStore = { fatalError() }()
let job: NewJob = { fatalError() }()
let id: JobID = { fatalError() }()
let database = pool
let order = Order()
let booking = Booking()
let photo = URL(filePath: "photo.jpg")
let picture = Picture(file: photo)
let server = Server()
let urls: [URL] = []

struct Order: Codable, PersistableRecord {}
struct Booking: Codable, PersistableRecord {}

struct Picture: Codable, PersistableRecord {
  var file: URL
}

struct Server: Sendable {
  func send(_ file: URL, key: String) async throws {}
}

struct UploadV1: Codable {
  var path: String
}

// Other kinds than those of the snippets: a module has each once.
@DurableTask(kind: "another upload")
struct Upload: Codable, Sendable {
  var file: URL

  func run() async throws {}
}

@DurableTask(kind: "another download")
struct Download: Codable, Sendable {
  var url: URL

  func run() async throws {}
}

@DurableTask(kind: "merge")
struct Merge: Codable, Sendable {
  func run() async throws {}
}

/// That of Apple's systems; there with their framework only.
struct SystemBackgroundScheduler: BackgroundScheduler {
  func register(_ identifier: String, _ launch: @escaping @Sendable (any BackgroundTime) -> Void) -> Bool { true }
  func submit(_ request: BackgroundTimeRequest) throws {}
}
