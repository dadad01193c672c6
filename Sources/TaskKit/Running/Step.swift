/// What a worker is told to do next.
enum Step {
  case run(Int32)
  /// Nothing for this worker now; others go on.
  case leave
  /// The run is over, and this worker saw it end.
  case finished(FinishedRun)
}
