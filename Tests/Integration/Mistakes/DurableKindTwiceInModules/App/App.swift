import Core
import TaskKitDurable

@DurableTask(kind: "upload")  // error: kind 'upload' is declared by 'App.Send' and by 'Core.Upload'
struct Send: Codable {
  func run() {}
}
