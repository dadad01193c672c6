#if !Durable
public import Foundation

/// Jobs in an SQLite file: not part of this build.
@available(
  *, unavailable,
  message: "Add the trait 'Durable' where your package depends on TaskKit: .package(…, traits: [\"Durable\"])"
)
public final class SQLiteStore: Sendable {
  public init(at file: URL) { name = file.path }
  public static func named(_ name: String) throws -> SQLiteStore { SQLiteStore(at: URL(filePath: name)) }
  public let name: String
}
#endif
