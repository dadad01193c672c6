public import TaskKitDurable

@DurableTask(kind: "upload")  // error: kind 'upload' is declared by 'Core.Upload' and by 'App.Send'
public struct Upload: Codable, Sendable {
  public func run() {}
}
