/// How often a task runs in the life of a center.
public enum RunLimit: Sendable, Hashable {
  /// At every occurrence of its event.
  case always

  /// At the first occurrence in which it starts. Then its name is free, unless others depend on it: then it
  /// stays, and every later occurrence reports it as already run, which counts as its first outcome.
  case once
}
