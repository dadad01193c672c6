/// A time zone: its name, and what its clocks show when.
public struct Zone: Sendable, Hashable {
  public let name: String
  public let file: ZoneFile

  public init(name: String, file: ZoneFile) {
    self.name = name
    self.file = file
  }

  /// The local time at a Unix time.
  public func localTime(at time: Int64) -> LocalTimeType {
    let following = firstTransition(after: time)
    if following == file.transitions.count, let rule = file.rule { return rule.localTime(at: time) }
    return following == 0 ? file.types[0] : type(from: following - 1)
  }

  /// The next change of local time after a Unix time; nil where there is none any more.
  public func nextTransition(after time: Int64) -> Transition? {
    for index in firstTransition(after: time)..<file.transitions.count {
      // Some entries change nothing that a clock would show.
      let change = transition(at: file.transitions[index])
      if change.before != change.after { return change }
    }
    let end = max(time, file.transitions.last ?? time)
    return file.rule?.nextChange(after: end).map(transition)
  }

  private func transition(at time: Int64) -> Transition {
    Transition(time: time, before: localTime(at: time - 1), after: localTime(at: time))
  }

  private func type(from index: Int) -> LocalTimeType {
    file.types[Int(file.typeIndices[index])]
  }

  /// The place of the first transition later than a time, by binary search.
  private func firstTransition(after time: Int64) -> Int {
    var low = 0
    var high = file.transitions.count
    while low < high {
      let middle = (low + high) / 2
      if file.transitions[middle] <= time { low = middle + 1 } else { high = middle }
    }
    return low
  }
}
