// traits: none
import TaskKit
import TaskKitDurable
import TaskKitPostgres

// error: Add the trait 'Postgres' where your package depends on TaskKit: .package(…, traits: ["Postgres"])
_ = try TaskCenter(registry: .generated, stores: [.postgres(at: "postgresql://app@db.example.org/app")])
_ = DurableStore.postgres(at: "postgresql://app@db.example.org/app", name: "jobs")  // error: Add the trait 'Postgres' where your package depends on TaskKit
_ = PostgresStore(at: "postgresql://app@db.example.org/app")  // error: Add the trait 'Postgres' where your package depends on TaskKit
