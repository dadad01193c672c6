import TaskGraph

/// Tasks of one notification that do different things with a burst of it.
enum NotificationBursts {
  static func problems(in tasks: [ScannedTask], _ names: NotificationNames) -> [Problem] {
    // Names are looked for in all sources, and nearly always nobody says what a burst does.
    guard tasks.contains(where: { $0.burst.map { $0 != EventOptions().burst } ?? false }) else { return [] }
    var problems: [Problem] = []
    /// By notification: the first task of each policy, and of each branch of an `#if`.
    var known: [String: [ScannedTask]] = [:]
    for task in tasks {
      guard let burst = task.burst, let occasion = task.occasions.first,
        case .notification(let name) = names.resolve(occasion, in: task)
      else { continue }
      let options = EventOptions(burst: burst)
      let other = known[name, default: []].first {
        options.hasOtherBurst(than: EventOptions(burst: $0.burst)) && !$0.excludes(task)
      }
      if let other { problems.append(.burstConflict(task, other, notification: name)) }
      if !known[name, default: []].contains(where: { $0.burst == burst && $0.conditions == task.conditions }) {
        known[name, default: []].append(task)
      }
    }
    return problems
  }
}
