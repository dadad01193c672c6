#if Postgres
public import TaskKitDurable

extension DurableStore {
  /// Jobs on a PostgreSQL server.
  ///
  /// ```swift
  /// let center = try TaskCenter(registry: .generated, stores: [.postgres(at: "postgresql://app@db.example.org/app")])
  /// ```
  ///
  /// - Parameters:
  ///   - address: a URL, or what libpq calls a connection string; see ``PostgresStore``.
  ///   - name: what the kinds' `store:` calls it.
  public static func postgres(at address: String, name: String = "postgres") -> DurableStore {
    DurableStore(name, PostgresStore(at: address))
  }
}
#endif
