import Measuring

/// Work that keeps a core busy for a known time and needs no memory.
///
/// A number of rounds and not a time: a body that looked at the clock would also be over when its thread had been put
/// aside for another process.
struct Spin: Sendable {
  let rounds: Int

  /// - Parameter nanoseconds: how long it takes on a core that has nothing else to do.
  init(nanoseconds: Int) {
    let trial = Spin(rounds: 200_000)
    var shortest = Int64.max
    var state: UInt64 = 1
    for _ in 0..<20 {
      let stopwatch = Stopwatch()
      state = trial.run(from: state)
      shortest = min(shortest, stopwatch.elapsed)
    }
    precondition(state != 0, "the generator has come to its fixed point")
    rounds = max(1, Int(Double(nanoseconds) * Double(trial.rounds) / Double(shortest)))
  }

  private init(rounds: Int) {
    self.rounds = rounds
  }

  /// - Parameter start: not zero. What differs from call to call keeps the compiler from making one of several.
  @inline(never)
  func run(from start: UInt64) -> UInt64 {
    var state = start
    for _ in 0..<rounds {
      state ^= state << 13
      state ^= state >> 7
      state ^= state << 17
    }
    return state
  }
}
