import Foundation

// A process that waits for tasks, in the way that the environment says, and tells what came of it.

// What the libraries complain about belongs to what is told.
dup2(1, 2)

switch ProcessInfo.processInfo.environment["PROBE_MAIN"] {
case "synchronous":
  waitForTasks()
case "loop":
  // Out of the queue of the main actor, which a run loop works off.
  Task { @MainActor in
    waitForTasks()
    exit(0)
  }
  RunLoop.main.run()
case "asynchronous":
  // What Swift makes of an asynchronous `main` on Linux: other threads serve the main actor.
  Task { @MainActor in
    waitForTasks()
    exit(0)
  }
  dispatchMain()
case "elsewhere":
  waitElsewhere()
  dispatchMain()
case "often":
  waitOften()
  // The main thread is there and runs no loop.
  DispatchSemaphore(value: 0).wait()
case "resting":
  Task {
    await rest()
    exit(0)
  }
  dispatchMain()
default:
  say("PROBE_MAIN says nothing")
}
