public import TaskKitDurable

extension DurableStore {
  #if Postgres
  /// Jobs on a PostgreSQL server. Whoever wants its ``PostgresStore/health()``, too, makes the ``PostgresStore`` himself, and gives
  /// it to `DurableStore(_:_:)`.
  ///
  /// ```swift
  /// let center = try TaskCenter(registry: .generated, stores: [.postgres(at: "postgresql://app@db.example.org/app")])
  /// ```
  ///
  /// - Parameters:
  ///   - address: a URL, or what libpq calls a connection string. This and the others are those of
  ///     ``PostgresStore/init(at:schema:lease:connections:notifies:pollInterval:patience:)``.
  ///   - name: what the kinds' `store:` calls it.
  ///   - schema: where the tables are, made when it is not there.
  ///   - lease: after how long without a sign of life a process counts as dead.
  ///   - connections: how many connections it has for reading.
  ///   - notifies: whether processes tell each other of what has happened.
  ///   - pollInterval: the most time between two looks at what others have done.
  ///   - patience: for how long it tries to learn what has become of something that it was writing when the connection broke.
  public static func postgres(
    at address: String, name: String = "postgres", schema: String = "public", lease: Duration = .seconds(30),
    connections: Int = 2, notifies: Bool = true, pollInterval: Duration = .seconds(1), patience: Duration = .seconds(30)
  ) -> DurableStore {
    DurableStore(
      name,
      PostgresStore(
        at: address, schema: schema, lease: lease, connections: connections, notifies: notifies,
        pollInterval: pollInterval, patience: patience))
  }
  #else
  @available(
    *, unavailable,
    message: "Add the trait 'Postgres' where your package depends on TaskKit: .package(…, traits: [\"Postgres\"])"
  )
  public static func postgres(
    at address: String, name: String = "postgres", schema: String = "public", lease: Duration = .seconds(30),
    connections: Int = 2, notifies: Bool = true, pollInterval: Duration = .seconds(1), patience: Duration = .seconds(30)
  ) -> DurableStore {
    memory(name)
  }
  #endif
}
