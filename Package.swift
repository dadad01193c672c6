// swift-tools-version: 6.3

import CompilerPluginSupport
import PackageDescription

/// Set by Scripts/test, never by those who depend on TaskKit.
let isDeveloped = Context.environment["TASKKIT_DEVELOPMENT"] != nil

let package = Package(
  name: "TaskKit",
  platforms: [.macOS(.v15), .iOS(.v18), .tvOS(.v18), .watchOS(.v11), .visionOS(.v2), .macCatalyst(.v18)],
  products: [
    .library(name: "TaskKit", targets: ["TaskKit"]),
    .library(name: "TaskKitTesting", targets: ["TaskKitTesting"]),
    .library(name: "TaskKitDurable", targets: ["TaskKitDurable"]),
    .library(name: "TaskKitDurableTesting", targets: ["TaskKitDurableTesting"]),
    .library(name: "TaskKitPostgres", targets: ["TaskKitPostgres"]),
    .library(name: "TaskGraph", targets: ["TaskGraph"]),
    .executable(name: "taskkit-generate", targets: ["taskkit-generate"]),
    .executable(name: "taskkit-migrate", targets: ["taskkit-migrate"]),
    .plugin(name: "TaskKitPlugin", targets: ["TaskKitPlugin"]),
  ],
  // Who imports TaskKit alone resolves swift-syntax and nothing else.
  traits: [
    .trait(name: "Durable", description: "TaskKitDurable: work that survives a crash, in an SQLite file"),
    .trait(name: "Postgres", description: "TaskKitPostgres: work shared by many machines; needs libpq's header"),
    // TaskKit's own development builds everything.
    .default(enabledTraits: isDeveloped ? ["Durable", "Postgres"] : []),
  ],
  dependencies: [
    .package(url: "https://github.com/swiftlang/swift-syntax", "600.0.1"..<"604.0.0"),
    .package(url: "https://github.com/groue/GRDB.swift", from: "7.10.0"),
  ],
  targets: [
    .target(name: "TaskGraph"),
    .macro(
      name: "TaskKitMacros",
      dependencies: [
        .product(name: "SwiftCompilerPlugin", package: "swift-syntax"),
        .product(name: "SwiftDiagnostics", package: "swift-syntax"),
        .product(name: "SwiftSyntax", package: "swift-syntax"),
        .product(name: "SwiftSyntaxBuilder", package: "swift-syntax"),
        .product(name: "SwiftSyntaxMacros", package: "swift-syntax"),
      ]),
    .target(name: "CTaskKit"),
    .target(name: "TaskKit", dependencies: ["CTaskKit", "TaskGraph", "TaskKitMacros"]),
    .target(name: "TaskKitTesting", dependencies: ["TaskKit"]),
    .target(
      name: "TaskKitDurable",
      dependencies: [
        "TaskKit", "TaskKitMacros",
        .product(name: "GRDB", package: "GRDB.swift", condition: .when(traits: ["Durable"])),
        // SQLite's own interface, for the statements of the paths that every job takes.
        .product(name: "GRDBSQLite", package: "GRDB.swift", condition: .when(traits: ["Durable"])),
      ]),
    .target(name: "TaskKitDurableTesting", dependencies: ["TaskKitDurable", "TaskKitTesting"]),
    .systemLibrary(
      name: "CPostgres", pkgConfig: "libpq", providers: [.apt(["libpq-dev"]), .yum(["libpq-devel"]), .brew(["libpq"])]),
    .target(
      name: "TaskKitPostgres",
      dependencies: ["CTaskKit", "TaskKitDurable", .target(name: "CPostgres", condition: .when(traits: ["Postgres"]))]),
    .executableTarget(
      name: "taskkit-migrate",
      dependencies: [
        "TaskKitDurable", "TaskKitPostgres",
        .product(name: "GRDB", package: "GRDB.swift", condition: .when(traits: ["Durable"])),
      ]),
    .target(name: "TaskScanner", dependencies: ["TaskGraph"]),
    .executableTarget(name: "taskkit-generate", dependencies: ["TaskScanner"]),
    .plugin(
      name: "TaskKitPlugin", capability: .buildTool(), dependencies: ["taskkit-generate"],
      path: "Sources/TaskKitPlugin"),

    // What tests start as a process of its own, to send it signals.
    .executableTarget(
      name: "ProcessProbe", dependencies: ["ClockSetting", "TaskKit"], path: "Tests/Processes/ProcessProbe",
      plugins: ["TaskKitPlugin"]),
    // System calls that the program above has instead of the system's.
    .target(name: "ClockSetting", path: "Tests/Processes/ClockSetting"),
    // The same, to wait for tasks on its main thread.
    .executableTarget(name: "WaitingProbe", dependencies: ["TaskKit"], path: "Tests/Processes/WaitingProbe"),

    .target(
      name: "Faults",
      dependencies: [.product(name: "GRDBSQLite", package: "GRDB.swift", condition: .when(traits: ["Durable"]))],
      path: "Tests/Faults"),
    .target(name: "ProcessTesting", path: "Tests/ProcessTesting"),
    // The same, to be killed while it works on a file or a server.
    .executableTarget(
      name: "DurableProbe",
      dependencies: [
        "Faults", "ProcessTesting", "TaskKit", "TaskKitDurable", "TaskKitPostgres",
        .product(name: "GRDB", package: "GRDB.swift", condition: .when(traits: ["Durable"])),
      ],
      path: "Tests/Processes/DurableProbe"),

    .testTarget(name: "TaskGraphTests", dependencies: ["TaskGraph"], exclude: ["Oracle"]),
    .testTarget(
      name: "TaskKitTests", dependencies: ["TaskGraph", "TaskKit", "TaskKitTesting"], plugins: ["TaskKitPlugin"]),
    .testTarget(
      name: "TaskKitDurableTests",
      dependencies: [
        "DurableProbe", "Faults", "ProcessTesting", "TaskKitDurable", "TaskKitDurableTesting",
        .product(name: "GRDB", package: "GRDB.swift", condition: .when(traits: ["Durable"])),
      ],
      plugins: ["TaskKitPlugin"]),
    .testTarget(
      name: "TaskKitPostgresTests",
      dependencies: [
        "DurableProbe", "ProcessTesting", "TaskKitDurable", "TaskKitDurableTesting", "TaskKitPostgres",
        "taskkit-migrate",
        .product(name: "GRDB", package: "GRDB.swift", condition: .when(traits: ["Durable"])),
      ]),
    .testTarget(
      name: "TaskKitMacrosTests",
      dependencies: [
        "TaskKitMacros",
        .product(name: "SwiftDiagnostics", package: "swift-syntax"),
        .product(name: "SwiftParser", package: "swift-syntax"),
        .product(name: "SwiftSyntax", package: "swift-syntax"),
        .product(name: "SwiftSyntaxMacroExpansion", package: "swift-syntax"),
        .product(name: "SwiftSyntaxMacros", package: "swift-syntax"),
        .product(name: "SwiftSyntaxMacrosGenericTestSupport", package: "swift-syntax"),
      ]),
    .testTarget(
      name: "TaskScannerTests",
      dependencies: [
        "TaskScanner", "taskkit-generate",
        .product(name: "SwiftOperators", package: "swift-syntax"),
        .product(name: "SwiftParser", package: "swift-syntax"),
        .product(name: "SwiftSyntax", package: "swift-syntax"),
      ]),
  ],
  swiftLanguageModes: [.v6]
)

// What the adapters of Apple's systems are compiled with where those systems are not there. Only tests and snippets depend on
// it.
#if !canImport(Darwin)
let systems = ["UIKit", "AppKit", "SwiftUI", "UserNotifications"]
for system in systems {
  package.targets.append(
    .target(
      name: "StandIn\(system)", dependencies: ["TaskKit"], path: "Tests/StandIns/\(system)",
      swiftSettings: [.define("TASKKIT_STAND_INS")]))
  package.targets.first { $0.name == "TaskKitTests" }?.dependencies.append(.target(name: "StandIn\(system)"))
}
// Set by Scripts/readme: the snippets of the adapters are compiled in a package of their own.
if Context.environment["TASKKIT_STAND_INS"] != nil {
  package.products.append(.library(name: "StandIns", targets: systems.map { "StandIn\($0)" }))
}
for system in ["BackgroundTasks", "Network"] {
  package.targets.append(
    .target(
      name: "StandIn\(system)", dependencies: ["TaskKitDurable"], path: "Tests/StandIns/\(system)",
      swiftSettings: [.define("TASKKIT_STAND_INS")]))
  package.targets.first { $0.name == "TaskKitDurableTests" }?.dependencies.append(.target(name: "StandIn\(system)"))
}
#endif

// One list for every target, so that none drifts.
let settings: [SwiftSetting] = [
  // https://github.com/swiftlang/swift-evolution/blob/main/proposals/0335-existential-any.md
  .enableUpcomingFeature("ExistentialAny"),
  // https://github.com/swiftlang/swift-evolution/blob/main/proposals/0409-access-level-on-imports.md
  .enableUpcomingFeature("InternalImportsByDefault"),
  // https://github.com/swiftlang/swift-evolution/blob/main/proposals/0444-member-import-visibility.md
  .enableUpcomingFeature("MemberImportVisibility"),
  // https://github.com/swiftlang/swift-evolution/blob/main/proposals/0461-async-function-isolation.md
  .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
]

// A warning is an error while TaskKit itself is developed, never for those who depend on it.
let strictness: [SwiftSetting] = isDeveloped ? [.treatAllWarnings(as: .error)] : []
let strictnessOfC: [CSetting] = isDeveloped ? [.treatAllWarnings(as: .error)] : []

for target in package.targets where target.type != .plugin && target.type != .system {
  if ["CTaskKit", "ClockSetting"].contains(target.name) {
    target.cSettings = strictnessOfC
  } else {
    target.swiftSettings = (target.swiftSettings ?? []) + settings + strictness
  }
}
