/// What a stored job asks for, and what can be changed about that while it waits (Z33).
public enum JobTerm: Hashable, Sendable {
  /// How often it is tried in all, attempts that it has had included. One that has had as many is tried once more.
  case attempts(JobAttempts)
  /// How long one attempt may take; nil for any time.
  case deadline(Duration?)
  /// What has to hold for it to run, and from when on that no longer holds it up; nil: it always does.
  case requires([Constraint], until: NewJob.Start? = nil)
}
