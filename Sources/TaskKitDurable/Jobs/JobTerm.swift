/// What a stored job asks for, and what can be changed about that while it waits (Z33).
public enum JobTerm: Hashable, Sendable {
  /// How often it is tried in all, attempts that it has had included. One that has had as many is tried once more, and so is one
  /// of which as many are over when the attempt that is going has failed. That is decided at once,
  /// as if it had failed: where the attempt turns out to be none, since it is stopped or snoozes, the job has it once more.
  case attempts(JobAttempts)
  /// How long one attempt may take; nil for any time.
  case deadline(Duration?)
  /// What has to hold for it to run, and from when on that no longer holds it up, as ``NewJob/constraintsUntil`` says; nil: it
  /// always does.
  case requires([Constraint], until: NewJob.Start? = nil)
}

extension JobAttempts {
  /// How many a job has from now on, where it is to have these. One that runs was told how many it has: unless that is its last one, it
  /// is not the last all the same, as nobody would hear that the job has given up.
  ///
  /// - Parameters:
  ///   - old: how many it had; nil for no limit.
  ///   - attempt: the one that is going, counted from 1; nil where none is.
  func maximum(insteadOf old: Int?, running attempt: Int?) -> Int? {
    guard let count, let attempt else { return count }
    return max(count, min(old ?? .max, attempt + 1))
  }
}
