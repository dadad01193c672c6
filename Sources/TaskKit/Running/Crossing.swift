import CTaskKit
import Synchronization

/// The place where a walker and somebody who takes a look meet: each writes one thing and then reads the other's, and at
/// least one of them has to see what the other has written (Dekker's algorithm).
///
/// The walker crosses after each body, the other one hardly ever. So where the system can make every thread pass a memory
/// barrier, which takes some microseconds, the one who is rare does that, and the walker needs none: it would be the
/// dearest part of a step.
enum Crossing {
  /// Whether the system can. A sandbox may forbid it.
  static let isOneSided: Bool = {
    #if os(Linux) || os(Android)
    taskkit_prepare_order_everywhere() == 0
    #else
    false
    #endif
  }()

  /// The walker's write. What it reads after that it reads sequentially consistent.
  @inline(__always)
  static func publish(_ node: Int32, in place: borrowing Atomic<Int32>, isOneSided: Bool) {
    if isOneSided {
      place.store(node, ordering: .releasing)
      taskkit_order_for_compiler()
    } else {
      place.store(node, ordering: .sequentiallyConsistent)
    }
  }

  /// Between the write of the one who takes a look and its read.
  static func takeLook(atWalkerOf box: WorkerBox) {
    #if os(Linux) || os(Android)
    // A thread sees what itself has written.
    if isOneSided, !box.isOnThisThread { taskkit_order_everywhere() }
    #endif
  }
}
