import TaskKitDurable
import Testing

@Suite struct JobStateTests {
  @Test func `three states are final`() {
    #expect(JobState.allCases.filter(\.isFinal) == [.finished, .dead, .cancelled])
  }
}
