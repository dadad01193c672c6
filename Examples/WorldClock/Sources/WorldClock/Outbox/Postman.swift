import Foundation
import TaskKit

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// How digests leave the program. Tests have one of their own.
struct Postman: SharedKey, Sendable {
  typealias Value = Postman

  /// Returns the status that the server answers with.
  let post: @Sendable (URLRequest) async throws -> Int

  static let http = Postman { request in
    let (_, response) = try await URLSession.shared.data(for: request)
    return (response as? HTTPURLResponse)?.statusCode ?? 0
  }
}
