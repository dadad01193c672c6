import Foundation

let urls: [URL] = []
let mirrors: [URL] = []
let address = URL(filePath: "/")
let legacy = Legacy()

func download(_ url: URL) async throws -> Data { Data() }
func log(_ line: String) {}

/// A window as old code has it.
@MainActor final class Alert {
  init(_ question: String, _ answer: @escaping @Sendable (Int) -> Void) {}
  func show() {}
  func dismiss() {}
}

struct Legacy: Sendable {
  func load(_ callback: @escaping @Sendable (Result<String, any Error>) -> Void) {}
}
