import Foundation

struct User: Sendable {
  static let guest = User()
}

let names: [String] = []
let servers: [URL] = []
let api = API()

func save(_ name: String) async throws -> Int { 0 }
func logIn() async throws -> User { User() }
func loadMessages(of user: User) async throws -> [String] { [] }
func ask(_ server: URL) async throws -> String { "" }
func log(_ error: any Error) {}
@MainActor func show(_ messages: [String]) {}

/// As old code has it.
struct API: Sendable {
  struct Request: Sendable {
    func cancel() {}
  }

  func find(_ callback: @escaping @Sendable (String?, (any Error)?) -> Void) -> Request { Request() }
}
