import Measuring

/// What one engine did with a number of timers, once.
struct TimerRound {
  /// Nanoseconds for each.
  var adding = 0.0
  var cancelling = 0.0
  /// Of processor time, from when all were added until the last body has run: what adding has left to other threads counts as
  /// well.
  var firing = 0.0
  /// Bytes for each that are held beside its body.
  var memory = 0.0
  /// Nanoseconds at each of ``percentiles``, ascending.
  var lateness: [Double] = []
  var mistake: String?

  static let percentiles = [50, 90, 99, 99.9]

  /// What is taken back before it is due. Made once and before all measuring: made anew for each engine, bodies lie wherever
  /// the engine before has left room, and whoever lets go of one waits for that memory.
  static func pendingBodies(_ count: Int) -> [TimerBody] {
    (0..<count).map { number in TimerBody { precondition(number < 0, "too early") } }
  }

  /// Adds timers that are far away, and takes them back.
  static func pending<Engine: TimerEngine>(
    _: Engine.Type, bodies: [TimerBody], seed: UInt64
  ) async -> TimerRound {
    var chance = SeededGenerator(seed: seed)
    let count = Double(bodies.count)
    let delays = bodies.map { _ in Int64.random(in: 1_000_000_000_000...2_000_000_000_000, using: &chance) }
    let engine = Engine(count: bodies.count)
    var round = TimerRound()
    let before = Memory.allocated
    round.adding = Double(Stopwatch.cost { engine.add(bodies) { delays[$0] } }) / count
    await engine.settle()
    round.memory = Double(Memory.allocated - before) / count
    round.cancelling = Double(Stopwatch.cost { engine.cancelAll() }) / count
    return round
  }

  /// Lets timers fire that are due at random moments of some seconds, which begin when all of them have been added.
  static func firing<Engine: TimerEngine>(
    _: Engine.Type, count: Int, seconds: Int64, lead: Int64, seed: UInt64
  ) async -> TimerRound {
    var chance = SeededGenerator(seed: seed)
    let start = Stopwatch.time + lead
    let dues = (0..<count).map { _ in start + Int64.random(in: 0..<seconds * 1_000_000_000, using: &chance) }
    let log = LatenessLog(count: count)
    let bodies = dues.map { due in TimerBody { log.note(Stopwatch.time - due) } }
    let engine = Engine(count: count)
    engine.add(bodies) { dues[$0] - Stopwatch.time }
    let before = Stopwatch.processorTime
    await log.fills()
    var round = TimerRound()
    round.firing = Double(Stopwatch.processorTime - before) / Double(count)
    let sorted = log.sorted
    round.lateness = percentiles.map { Double(sorted[min(count - 1, Int(Double(count) * $0 / 100))]) }
    if sorted[0] < 0 { round.mistake = "\(Engine.name): one of \(count) came \(-sorted[0]) ns early" }
    return round
  }
}
