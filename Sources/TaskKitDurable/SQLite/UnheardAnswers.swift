#if Durable && !os(Windows)

/// What operations came to that have happened, and whose answers nobody got: their file was away at that moment.
struct UnheardAnswers: Sendable {
  /// What was given out, and is not worked at.
  private(set) var claimed: [AttemptKey] = []
  /// Whose ends were taken, which will be said again.
  private var ended: Set<AttemptKey> = []
  private var toCancel: [AttemptToken]
  private var rescued: [RescuedJob] = []

  /// Of a change that cancelled attempts of this owner: nobody else tells them.
  init(toCancel: [AttemptToken]) { self.toCancel = toCancel }

  init(_ exchange: JobExchange, _ answer: JobExchange.Answer) {
    claimed = answer.claimed.map { AttemptKey(job: $0.id, token: $0.token) }
    for ((key, _), isTaken) in zip(exchange.ends, answer.ends) where isTaken { ended.insert(key) }
    toCancel = answer.toCancel
    rescued = answer.rescued
  }

  /// Both, where nobody has heard of earlier ones either.
  func following(_ earlier: UnheardAnswers?) -> UnheardAnswers {
    guard var both = earlier else { return self }
    both.claimed += claimed
    both.ended.formUnion(ended)
    both.toCancel += toCancel
    both.rescued += rescued
    return both
  }

  /// Says it with the answer to a later exchange: of the ends those that are said again there. The others are kept for when
  /// they are.
  mutating func tell(_ exchange: JobExchange, _ answer: inout JobExchange.Answer) {
    for (place, (key, _)) in exchange.ends.enumerated() where ended.remove(key) != nil { answer.ends[place] = true }
    answer.toCancel += toCancel.filter { token in !exchange.ends.contains { $0.0.token == token } }
    answer.rescued = rescued + answer.rescued
    (claimed, toCancel, rescued) = ([], [], [])
  }

  /// Whether all of it has been said.
  var isTold: Bool { claimed.isEmpty && ended.isEmpty && toCancel.isEmpty && rescued.isEmpty }
}
#endif
