import Core
import Foundation
import TaskKit
import TaskKitDurable

// A program that dies in the middle of a job is started again: the rest is done, and nothing that was done is repeated.
if CommandLine.arguments.count == 3 {
  let (life, file) = (CommandLine.arguments[1], URL(filePath: CommandLine.arguments[2]))
  let center = try TaskCenter(
    registry: .generated, stores: [.sqlite(at: file)],
    jobs: JobConfiguration(defaultQueue: QueueOptions(workers: 1), monitors: []))
  if life == "first" { try await center.enqueue((1...3).map { Step(number: $0) }) }
  center.start()
  await center.jobs.idle()
  say("left: \(try await center.jobs.count())")
  await center.terminate()
} else {
  let folder = FileManager.default.temporaryDirectory.appending(path: "taskkit-\(UUID().uuidString)")
  try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: false)
  defer { try? FileManager.default.removeItem(at: folder) }
  for life in ["first", "second", "third"] {
    let program = Process()
    program.executableURL = URL(filePath: CommandLine.arguments[0])
    program.arguments = [life, folder.appending(path: "jobs.sqlite").path]
    try program.run()
    program.waitUntilExit()
    say("the \(life) was \(program.terminationReason == .uncaughtSignal ? "killed" : "left to end")")
  }
}

// prints: 1 begins
// prints: 1 ends in attempt 1
// prints: 2 begins
// prints: the first was killed
// prints: 3 begins
// prints: 3 ends in attempt 1
// prints: 2 ends in attempt 2
// prints: left: 0
// prints: the second was left to end
// prints: left: 0
// prints: the third was left to end
