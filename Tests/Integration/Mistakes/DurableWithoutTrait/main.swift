// traits: none
import Foundation
import TaskKit
import TaskKitDurable

@DurableTask(kind: "upload")
struct Upload: Codable {
  func run() {}
}

// Jobs in memory need no trait.
_ = try TaskCenter(registry: .generated, stores: [.memory()])

_ = try TaskCenter(registry: .generated, stores: [.sqlite()])  // error: Add the trait 'Durable' where your package depends on TaskKit: .package(…, traits: ["Durable"])
_ = DurableStore.sqlite(at: URL(filePath: "jobs.sqlite"))  // error: Add the trait 'Durable' where your package depends on TaskKit
_ = try SQLiteStore.named("jobs")  // error: Add the trait 'Durable' where your package depends on TaskKit
