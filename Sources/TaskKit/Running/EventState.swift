/// One event of the center.
struct EventState {
  var description: EventDescription
  var members = TaskList()
  var plan: EventPlan?
  var active: RunHandle?
  /// By their ids, which ascend.
  var queue = Line<UInt64>()
  /// Until it goes off, further sends may come, and what waits is not started.
  var quietTimer: DueHeap<CenterTimer>.Token?
  /// The queue is being worked off: an occurrence that ends as it starts leaves the next one to that.
  var isStartingQueued = false
  var hasHappened = false
  /// Whether an occurrence has come to its end.
  var hasEnded = false
  var latestPayload: (any Sendable)?
  /// Whether the tasks of the latest occurrence were too small to be worth a second worker.
  var isTiny = false
  /// Kept for the next occurrence that can be walked through.
  var walk: Walk?
  var tally = WalkTally()
  /// It stands for none, until another event gets its place.
  var isForgotten = false
}
