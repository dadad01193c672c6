/// What the app's way into the background does to the workers, and its way back.
extension JobMachine {
  /// The app's time in the background.
  struct Background {
    /// How often somebody wanted the workers to run: the app in the foreground, or who was given time in the background.
    var wakings = 0
    /// How many times that the system has given are being used.
    fileprivate var givenTimes = 0
    /// Whether somebody would have stopped the workers, but for those.
    fileprivate var stopsAfterGivenTime = false
  }

  /// Stops workers that run or are about to, unless somebody has wanted them to run since.
  ///
  /// As long as time goes on that the system has given they run in that. The last of it that is over stops them, though it may
  /// not be the latest.
  mutating func stopInBackground(since number: Int) {
    guard number == background.wakings || background.stopsAfterGivenTime, phase.runsOrWill else { return }
    background.stopsAfterGivenTime = background.givenTimes > 0
    if !background.stopsAfterGivenTime { stop(by: .background) }
  }

  /// Lets the workers run again that were stopped by the way into the background. What is on the way to such a stop, as the end
  /// of an earlier time, stops nothing any more.
  ///
  /// - Returns: whether there were any, and which waking this was.
  mutating func resumeFromBackground() -> (resumes: Bool, waking: Int) {
    background.wakings += 1
    background.stopsAfterGivenTime = false
    let resumes = phase.isStoppedInBackground
    if resumes { resume() }
    return (resumes, background.wakings)
  }

  /// Time that the system has given is being used: until its end nothing in the background stops the workers.
  mutating func beginGivenTime() { background.givenTimes += 1 }

  /// It is over, or nothing is left to run. Who wanted a stop meanwhile gets it with the last time, also in the second case.
  mutating func endGivenTime() {
    background.givenTimes -= 1
    guard background.givenTimes == 0, background.stopsAfterGivenTime else { return }
    stopInBackground(since: background.wakings)
    background.stopsAfterGivenTime = false
  }
}
