// swift-tools-version: 6.3

import PackageDescription

// Applied to every module that has tasks: it collects them and proves their graph while building.
let taskKitPlugin = Target.PluginUsage.plugin(name: "TaskKitPlugin", package: "TaskKit")
let taskKit = Target.Dependency.product(name: "TaskKit", package: "TaskKit")
let durable = Target.Dependency.product(name: "TaskKitDurable", package: "TaskKit")

let package = Package(
  name: "WorldClock",
  platforms: [.macOS(.v15)],
  dependencies: [
    // The trait brings GRDB along: jobs in an SQLite file.
    .package(name: "TaskKit", path: "../..", traits: ["Durable"])
  ],
  targets: [
    .target(name: "ZoneData", dependencies: [taskKit], plugins: [taskKitPlugin]),
    .target(name: "ZoneIndex", dependencies: ["ZoneData", taskKit], plugins: [taskKitPlugin]),
    .target(name: "Presentation", dependencies: ["ZoneData", "ZoneIndex", taskKit], plugins: [taskKitPlugin]),
    // No tasks here, so no plugin.
    .target(name: "Arguments", dependencies: ["ZoneData", taskKit]),
    .executableTarget(
      name: "WorldClock", dependencies: ["Arguments", "Presentation", "ZoneData", "ZoneIndex", taskKit, durable],
      plugins: [taskKitPlugin]),

    .testTarget(name: "ZoneDataTests", dependencies: ["ZoneData"]),
    .testTarget(name: "ZoneIndexTests", dependencies: ["ZoneData", "ZoneIndex"]),
    .testTarget(name: "PresentationTests", dependencies: ["Presentation", "ZoneData", "ZoneIndex"]),
    .testTarget(name: "ArgumentsTests", dependencies: ["Arguments"]),
    .testTarget(
      name: "WorldClockTests",
      dependencies: [
        "Arguments", "WorldClock", "ZoneData", "ZoneIndex", taskKit, durable,
        .product(name: "TaskKitTesting", package: "TaskKit"),
      ]),
  ],
  swiftLanguageModes: [.v6]
)
