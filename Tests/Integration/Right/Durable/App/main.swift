import Core
import TaskKit
import TaskKitDurable

// The conformance is the macro's alone.
@DurableTask(kind: "report")
struct Report {
  var day: Int

  func run(_ context: TaskKitDurable.DurableContext) async throws {}
}

@ScheduleTask(name: "digest", daily: "02:30", timeZone: .utc, grace: .seconds(3600), durable: true, requires: [.network])
struct SendDigest: Codable {
  var title = "Digest"

  func run(_ context: DurableContext) async throws {}
}

@ScheduleTask(every: .seconds(60), first: .immediately, missed: .skip, grace: .seconds(5), durable: true)
struct Fetch: Codable {
  func run() {}
}

@EventTask(event: .didFinishLaunching)
enum Launch {
  static func run() {}
}

for kind in TaskRegistry.generated.kinds { print(kind) }

// prints: upload in queue network, Upload (Core/Uploads.swift:9:1)
// prints: mail.send in queue default, Send (Core/Uploads.swift:20:3)
// prints: mail.fetch in queue default, Fetch (Core/Uploads.swift:32:3)
// prints: clean-up in queue default, CleanUp (Core/Uploads.swift:48:1)
// prints: report in queue default, Report (App/main.swift:6:1)
// prints: digest in queue default, SendDigest (App/main.swift:13:1)
// prints: App.Fetch in queue default, Fetch (App/main.swift:20:1)
