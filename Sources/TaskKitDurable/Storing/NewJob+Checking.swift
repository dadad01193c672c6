extension NewJob {
  /// What makes no sense about it; nil where it can be written down.
  ///
  /// - Parameters:
  ///   - place: its place in the batch.
  ///   - next: the id that the store gives out next; lower ones are or were jobs, or were left out, as they are by each opening
  ///     of a database that is shared. What waits for one that was left out does not wait.
  package func problem(at place: Int, next: Int64) -> String? {
    // SQLite would keep it as another name, and PostgreSQL would refuse it together with everything beside it.
    if let name = nameWithNul {
      return "job \(place) has the name \(name.debugDescription), with the character NUL in it"
    }
    if kind.isEmpty { return "job \(place) names no kind" }
    if let maximumAttempts, maximumAttempts < 1 {
      return "job \(place) of kind '\(kind)' asks for \(maximumAttempts) attempts; it needs at least one, or no limit"
    }
    if maximumCrashes < 1 {
      return "job \(place) of kind '\(kind)' asks for \(maximumCrashes) crashes; it needs at least one"
    }
    if let deadline, deadline <= .zero {
      return "job \(place) of kind '\(kind)' has a deadline of \(deadline); it needs some time, or no deadline"
    }
    let time = min(retention.finished ?? .zero, retention.failed ?? .zero)
    if time < .zero {
      return "job \(place) of kind '\(kind)' is to be kept for \(time); it is kept for some time, for none, or for ever"
    }
    if let limit, limit.count < 1 {
      return "job \(place) of kind '\(kind)' could never run: its limit for '\(limit.key)' is \(limit.count)"
    }
    if let occurrence, let occurrenceLimit, occurrenceLimit < 1 {
      let schedule = occurrence.schedule
      return "job \(place) of kind '\(kind)' could never be: schedule '\(schedule)' has \(occurrenceLimit) occurrences"
    }
    for parent in parents {
      switch parent {
      case .job(let id) where id.rawValue < 1 || id.rawValue >= next:
        return "job \(place) of kind '\(kind)' waits for job \(id), which was never there"
      case .inBatch(let other) where other < 0 || other >= place:
        return "job \(place) of kind '\(kind)' waits for job \(other) of its batch, which does not come before it"
      default: continue
      }
    }
    return nil
  }

  // One after the other: a list of all would cost more than looking at them.
  private var nameWithNul: String? {
    func hasNul(_ name: String) -> Bool { name.utf8.contains(0) }
    if hasNul(kind) { return kind }
    if hasNul(queue) { return queue }
    if let name = constraints.first(where: hasNul) { return name }
    if let name = tags.first(where: hasNul) { return name }
    if let key = unique?.key, hasNul(key) { return key }
    if let key = limit?.key, hasNul(key) { return key }
    if let schedule = occurrence?.schedule, hasNul(schedule) { return schedule }
    return nil
  }
}
