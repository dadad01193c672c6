import Testing

@testable import TaskKit

/// A wait that goes on after its cancellation, as a lane's does: what was begun still stands on the screen.
@Suite struct LingeringCompletionTests {
  private let mistakes = Values<CompletionError>()
  private let recorder = Recorder()
  private let kept = Kept<Completion<Int>>()

  private func state() -> CompletionState<Int> {
    CompletionState(location: TaskLocation(#fileID, #line, #column), lingers: true, report: { mistakes.append($0) })
  }

  /// A wait that was cancelled, and whose handlers have been called.
  private func cancelledWait() async -> Task<Int, any Error> {
    let task = Task {
      try await state().answer { completion in
        completion.onCancel { recorder.note("stop") }
        kept.put(completion)
        recorder.note("begun")
      }
    }
    _ = await recorder.notes(1)
    task.cancel()
    #expect(await recorder.notes(2) == ["begun", "stop"])
    return task
  }

  @Test func `it ends with the answer that comes after the cancellation`() async throws {
    let task = await cancelledWait()
    #expect(kept.take()?.succeed(1) == true)
    #expect(try await task.value == 1)
    #expect(mistakes.values.isEmpty)
  }

  @Test func `it ends when the token is dropped, which is no mistake then`() async throws {
    let task = await cancelledWait()
    _ = kept.take()
    await #expect(throws: CancellationError.self) { try await task.value }
    #expect(mistakes.values.isEmpty)
  }

  @Test func `a handler that comes after the cancellation is called at once, and the wait goes on`() async throws {
    let task = await cancelledWait()
    kept.value?.onCancel { recorder.note("late") }
    #expect(recorder.notes == ["begun", "stop", "late"])
    #expect(kept.take()?.succeed(1) == true)
    #expect(try await task.value == 1)
  }

  @Test func `cancelled before it begins, it calls the handlers and waits for the answer`() async throws {
    let task = Task {
      withUnsafeCurrentTask { $0?.cancel() }
      return try await state().answer { completion in
        completion.onCancel { recorder.note("stop") }
        kept.put(completion)
      }
    }
    #expect(await recorder.notes(1) == ["stop"])
    #expect(kept.take()?.fail(Broken()) == true)
    await #expect(throws: Broken.self) { try await task.value }
  }
}
