import Foundation

// Unsafe on purpose: that is the race.
nonisolated(unsafe) private var count = 0

/// What `Scripts/races` must find before it says that it finds nothing: whichever thread comes first, the other does not
/// know. In language mode 5, as mode 6 does not take it.
@main struct Race {
  static func main() {
    let other = Thread { count += 1 }
    other.start()
    count += 1
    while !other.isFinished { usleep(1_000) }
    print("done")
  }
}
