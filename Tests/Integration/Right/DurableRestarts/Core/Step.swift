import Foundation
public import TaskKitDurable

@DurableTask(kind: "step", backoff: .none)
public struct Step: Codable, Sendable {
  public var number: Int

  public init(number: Int) { self.number = number }

  public func run(_ context: DurableContext) async throws {
    try await context.once("first half") { say("\(number) begins") }
    if number == 2, context.attempt == 1 { kill(getpid(), SIGKILL) }
    say("\(number) ends in attempt \(context.attempt)")
  }
}

// At once: what is kept back when a process is killed is lost.
public func say(_ text: String) { FileHandle.standardOutput.write(Data((text + "\n").utf8)) }
