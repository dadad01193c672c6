// swift-tools-version: 6.2

import PackageDescription

let package = Package(
  name: "Benchmarks",
  platforms: [.macOS(.v15)],
  dependencies: [
    .package(name: "TaskKit", path: "..")
  ],
  targets: [
    .target(name: "CAllocator"),
    .executableTarget(
      name: "Benchmarks",
      dependencies: [
        "CAllocator",
        .product(name: "TaskGraph", package: "TaskKit"),
        .product(name: "TaskKit", package: "TaskKit"),
      ],
      swiftSettings: [
        // As in TaskKit itself.
        .enableUpcomingFeature("ExistentialAny"),
        .enableUpcomingFeature("InternalImportsByDefault"),
        .enableUpcomingFeature("MemberImportVisibility"),
        .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
      ]),
  ],
  swiftLanguageModes: [.v6]
)
