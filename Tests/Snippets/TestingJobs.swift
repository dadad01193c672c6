import Foundation
import TaskKit
import TaskKitDurable

let photo = URL(filePath: "photo.jpg")

struct Server: SharedKey, Sendable {
  typealias Value = Server
  let send: @Sendable (URL) async throws -> Void
}

@DurableTask(kind: "upload")
struct Upload: Codable, Sendable {
  var file: URL

  func run(_ context: DurableContext) async throws { try await context.center[Server.self]?.send(file) }
}
