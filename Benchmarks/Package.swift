// swift-tools-version: 6.3

import PackageDescription

let package = Package(
  name: "Benchmarks",
  platforms: [.macOS(.v15)],
  traits: [
    .trait(name: "Durable", description: "The benchmarks of durable work, which need GRDB and SQLite"),
    .trait(name: "Postgres", description: "Those of work shared on a server, which need PostgreSQL and libpq"),
  ],
  dependencies: [
    .package(
      name: "TaskKit", path: "..",
      traits: [
        .trait(name: "Durable", condition: .when(traits: ["Durable"])),
        .trait(name: "Postgres", condition: .when(traits: ["Postgres"])),
      ])
  ],
  targets: [
    .target(name: "CAllocator"),
    .target(name: "Measuring"),
    .executableTarget(
      name: "Benchmarks",
      dependencies: [
        "CAllocator", "Measuring",
        .product(name: "TaskGraph", package: "TaskKit"),
        .product(name: "TaskKit", package: "TaskKit"),
        .product(name: "TaskKitTesting", package: "TaskKit"),
      ]),
    .target(name: "SQLiteLoop", linkerSettings: [.linkedLibrary("sqlite3")]),
    .target(name: "PostgresLoop", linkerSettings: [.linkedLibrary("pq")]),
    .executableTarget(
      name: "DurableBenchmarks",
      dependencies: [
        "Measuring",
        .target(name: "PostgresLoop", condition: .when(traits: ["Postgres"])),
        .target(name: "SQLiteLoop", condition: .when(traits: ["Durable"])),
        .product(name: "TaskKit", package: "TaskKit"),
        .product(name: "TaskKitDurable", package: "TaskKit"),
        .product(name: "TaskKitPostgres", package: "TaskKit"),
      ],
      exclude: ["huey_engine.py"]),
  ],
  swiftLanguageModes: [.v6]
)

for target in package.targets where !["CAllocator", "PostgresLoop", "SQLiteLoop"].contains(target.name) {
  target.swiftSettings = [
    // As in TaskKit itself.
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("MemberImportVisibility"),
    .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
  ]
}
