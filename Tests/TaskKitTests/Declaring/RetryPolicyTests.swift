import TaskKit
import Testing

@Suite struct RetryPolicyTests {
  // What a release build stops with has no words.
  #if DEBUG && (os(macOS) || os(Linux) || os(Windows))
  @Test func `a computed number of attempts below one stops with the option, its value and what to write`() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      _ = RetryPolicy.attempts("12".count - 2)
    }
    let text = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
    #expect(text.contains("a task is tried at least once, and 'attempts' is 0; write 1 or more"))
  }
  #endif
}
