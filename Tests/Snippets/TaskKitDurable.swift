import Foundation

struct Server: Sendable {
  func send(_ file: URL, key: String) async throws {}
}

let server = Server()
let photo = URL(filePath: "photo.jpg")
