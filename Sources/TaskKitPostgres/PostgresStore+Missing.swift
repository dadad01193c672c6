#if !Postgres
/// Jobs on a PostgreSQL server: not part of this build.
@available(
  *, unavailable,
  message: "Add the trait 'Postgres' where your package depends on TaskKit: .package(…, traits: [\"Postgres\"])"
)
public final class PostgresStore: Sendable {
  public init(
    at address: String, schema: String = "public", lease: Duration = .seconds(30), connections: Int = 2,
    notifies: Bool = true, pollInterval: Duration = .seconds(1), patience: Duration = .seconds(30)
  ) {
    name = address
  }
  public let name: String
}
#endif
