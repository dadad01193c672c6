import TaskKit
import TaskKitDurable

// A snippet is compiled, not run.
let center: TaskCenter = { fatalError() }()

@DurableTask(kind: "thumbnail")
struct Thumbnail: Codable, Sendable {
  var photo: Int

  func run() async throws {}
}

struct Session: Sendable {
  static let shared = Session()
  let isSignedIn = true
  func onChange(_ body: @escaping @Sendable (Bool) -> Void) { body(true) }
}
