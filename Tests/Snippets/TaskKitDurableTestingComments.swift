import Foundation
import TaskKit
import TaskKitDurable
import TaskKitDurableTesting

let photo = URL(filePath: "photo.jpg")
let album = Album()

struct Album: Sendable {
  func save(in center: TaskCenter) async throws {}
}

class Server: @unchecked Sendable {
  enum Key: SharedKey { typealias Value = Server }
}

final class FakeServer: Server, @unchecked Sendable {}

struct MyFixture: JobStoreFixture {
  func makeStore() -> any JobStore { fatalError() }
  func kill(_ store: any JobStore) {}
}

@DurableTask(kind: "upload")
struct Upload: Codable, Sendable {
  var file: URL

  func run() async throws {}
}

@DurableTask(kind: "digest")
struct Digest: Codable, Sendable {
  func run() async throws {}
}
