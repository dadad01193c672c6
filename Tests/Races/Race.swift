import Dispatch
import Foundation

// Unsafe on purpose: that is the race.
nonisolated(unsafe) private var count = 0

/// What `Scripts/races` must find before it says that it finds nothing: whichever thread comes first, the other does not
/// know. In language mode 5, as mode 6 does not take it.
@main struct Race {
  static func main() {
    let ended = DispatchSemaphore(value: 0)
    Thread.detachNewThread {
      count += 1
      ended.signal()
    }
    count += 1
    ended.wait()
    print("done")
  }
}
