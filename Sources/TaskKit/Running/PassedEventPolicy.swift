/// What an injection into an event that happens once, and has, comes to.
public enum PassedEventPolicy: Sendable, Hashable {
  /// It throws: the task would never run, or, of several events, miss that one.
  case fail
  /// The task runs now, with the payload of the event.
  case runNow
}
