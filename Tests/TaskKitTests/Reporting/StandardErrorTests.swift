#if os(macOS) || os(Linux)
import Foundation
import TaskKit
import Testing

/// Each in a process of its own, which loses its standard error.
@Suite struct StandardErrorTests {
  /// What is only read takes nothing, like what is closed; the other one says that its disk is full.
  private static var places: [(String, Int32)] {
    #if os(Linux)
    [("/dev/null", O_RDONLY), ("/dev/full", O_WRONLY)]
    #else
    [("/dev/null", O_RDONLY)]
    #endif
  }

  @Test(arguments: places)
  func `what is reported where standard error takes no line ends no process`(path: String, mode: Int32) async {
    await #expect(processExitsWith: .success) { [path, mode] in
      #expect(dup2(open(path, mode), STDERR_FILENO) == STDERR_FILENO)
      let value = try await withCompletion(of: Int.self) { completion in
        completion.succeed(1)
        completion.succeed(2)
      }
      #expect(value == 1)
      TaskCenter.Configuration().report("the store cannot be opened")
    }
  }
}
#endif
