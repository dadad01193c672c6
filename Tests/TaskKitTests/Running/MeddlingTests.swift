import Testing

/// Everything that can be done to tasks, done while they run.
@Suite struct MeddlingTests {
  @Test(arguments: 0..<6)
  func `whatever is done to tasks while they run, all ends, as the law says and as the reports tell`(part: UInt64)
    async throws
  {
    for seed in (part * 50)..<(part * 50 + 50) {
      var story = try Meddling(seed: seed)
      await story.play()
      #expect(story.problems == [], "seed \(seed)")
    }
  }
}
