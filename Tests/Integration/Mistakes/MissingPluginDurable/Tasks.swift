// plugin: none
import TaskKitDurable

// warning: this kind of job is not collected into a registry: add plugins: [.plugin(name: "TaskKitPlugin", package: "TaskKit")]
@DurableTask(kind: "upload")
struct Upload: Codable {
  func run() {}
}
