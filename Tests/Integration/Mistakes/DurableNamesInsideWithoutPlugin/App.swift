// plugin: none
import TaskKitDurable

// What the compiler says by itself, where no generator speaks first.

let most = JobAttempts(2)

// warning: this kind of job is not collected into a registry
@DurableTask(kind: "upload", attempts: most)  // error: the name that the line above ends with is that of a member
struct Upload: Codable {
  func run() {}
}

extension Upload {
  static let most = JobAttempts(5)
}
