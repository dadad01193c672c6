#if !canImport(Darwin)
import Foundation
import StandInUIKit
import TaskKit
import Testing

private final class AppDelegate: TaskApplicationDelegate {
  override class var center: TaskCenter { TestCenter.current ?? TaskCenter() }
}

@Suite struct PrewarmedLaunchTests {
  /// In a process of its own, since the system says it in the environment.
  @Test(arguments: [("1", true), ("0", false)])
  func `a launch ahead of its time says so`(value: String, isAhead: Bool) async {
    await #expect(processExitsWith: .success) { [value, isAhead] in
      setenv("ActivePrewarm", value, 1)
      try await MainActor.run {
        let notes = Recorder()
        let center = try TaskCenter.with([
          .event(.didFinishLaunching, name: "did") { @MainActor context in notes.note("\(context.payload.reason)") }
        ])
        _ = TestCenter.$current.withValue(center) {
          AppDelegate().application(UIApplication(), didFinishLaunchingWithOptions: nil)
        }
        #expect(notes.notes == [isAhead ? "prewarmed" : "normal"])
      }
    }
  }
}
#endif
