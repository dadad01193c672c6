import Foundation

/// Where the tests find a server.
enum TestServer {
  struct Missing: Error, CustomStringConvertible {
    let description: String
  }

  /// The server that all tests share, which Scripts/test starts.
  static func shared() throws -> String {
    guard let address = ProcessInfo.processInfo.environment["TASKKIT_POSTGRES"], !address.isEmpty else {
      throw Missing(
        description: """
          there is no PostgreSQL server to test with. Scripts/test starts one; without it, run 'Scripts/postgres' \
          (Debian, Ubuntu: sudo apt-get install postgresql libpq-dev; macOS: brew install libpq postgresql@16), leave \
          it running, and set TASKKIT_POSTGRES to the address that it prints
          """)
    }
    return address
  }
}
