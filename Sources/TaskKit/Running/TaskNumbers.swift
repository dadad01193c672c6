/// Which numbers tasks may be given.
///
/// A task that has gone leaves its number to another one, but not before the last occurrence has ended that knows it by
/// that number.
struct TaskNumbers: Sendable {
  private var free: [Int32] = []
  /// Of tasks that have gone: in how many runs each still is, and which of them are in a run, by its slot.
  private var runCounts: [Int32: Int] = [:]
  private var inSlots: [Int: [Int32]] = [:]
  private var sequence: Int64

  /// - Parameter sequence: the place of the first task that is given a number in the order of declaration.
  init(sequence: Int64 = 0) {
    self.sequence = sequence
  }

  var hasRetired: Bool { !runCounts.isEmpty }

  /// What is kept for tasks that have gone beside the free numbers.
  var retiredCount: Int { runCounts.count + inSlots.values.reduce(0) { $0 + $1.count } }

  /// The place of the next task in the order of declaration.
  mutating func nextSequence() -> Int64 {
    defer { sequence += 1 }
    return sequence
  }

  /// A number that a task had before; nil if there is none.
  mutating func take() -> Int32? { free.popLast() }

  /// - Parameter slots: the runs that know the task.
  /// - Returns: whether the number is free at once.
  mutating func retire(_ task: Int32, in slots: [Int]) -> Bool {
    guard !slots.isEmpty else {
      free.append(task)
      return true
    }
    runCounts[task] = slots.count
    for slot in slots { inSlots[slot, default: []].append(task) }
    return false
  }

  /// A run has gone.
  ///
  /// - Returns: the tasks whose numbers are free now.
  mutating func runHasGone(_ slot: Int) -> [Int32] {
    var freed: [Int32] = []
    for task in inSlots.removeValue(forKey: slot) ?? [] {
      guard let count = runCounts[task] else { continue }
      runCounts[task] = count > 1 ? count - 1 : nil
      if count == 1 { freed.append(task) }
    }
    free += freed
    return freed
  }
}
