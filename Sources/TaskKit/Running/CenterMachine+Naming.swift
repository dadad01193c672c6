import TaskGraph

/// Finding tasks, and giving them their numbers.
extension CenterMachine {
  // MARK: - Finding

  /// Finds a task by its whole name, or by the part behind the module while only one has it.
  mutating func find(_ name: TaskName) throws -> Int32 {
    makeDirectory()
    switch directory!.find(name.rawValue) {
    case .one(let number): return number
    case .several(let numbers):
      throw TaskError.ambiguousName(name, candidates: declared(numbers).map { tasks[Int($0)].registration.name })
    case .none:
      let names = TaskNames(present.map { (tasks[Int($0)].registration.name.rawValue, tasks[Int($0)].module) })
      throw TaskError.unknownTask(name, suggestion: names.suggestion(for: name.rawValue))
    }
  }

  /// The task that an `after` names, if there is one. That a name means several tasks has been refused before.
  mutating func number(named name: TaskName) -> Int32? {
    makeDirectory()
    guard case .one(let number) = directory!.find(name.rawValue) else { return nil }
    return number
  }

  mutating func makeDirectory() {
    guard directory == nil else { return }
    var made = TaskDirectory()
    made.reserveCapacity(tasks.count)
    for task in present { made.insert(task, tasks[Int(task)]) }
    directory = made
  }

  /// Whether a task has left the center: destroyed, or run once with nothing that depends on it.
  func isGone(_ task: Int32) -> Bool { !marks[Int(task)].isDisjoint(with: [.destroyed, .notATask]) }

  /// All tasks that are there, in the order of declaration.
  var present: [Int32] { declared(tasks.indices.lazy.map { Int32($0) }.filter { !isGone($0) }) }

  /// Tasks in the order of declaration, each once.
  func declared(_ numbers: [Int32]) -> [Int32] {
    guard numbers.count > 1 else { return numbers }
    let isOrdered = (1..<numbers.count).allSatisfy {
      tasks[Int(numbers[$0 - 1])].sequence < tasks[Int(numbers[$0])].sequence
    }
    guard !isOrdered else { return numbers }
    var declared = numbers.sorted { tasks[Int($0)].sequence < tasks[Int($1)].sequence }
    var last: Int32?
    declared.removeAll { number in
      defer { last = number }
      return number == last
    }
    return declared
  }

  // MARK: - Numbers

  /// Gives a task a number. It is not in any table yet.
  mutating func number(_ record: TaskRecord) -> Int32 {
    var record = record
    record.sequence = numbers.nextSequence()
    guard let free = numbers.take() else {
      tasks.append(record)
      marks.append([])
      return Int32(tasks.count - 1)
    }
    tasks[Int(free)] = record
    marks[Int(free)] = []
    return free
  }

  /// Gives the numbers of tasks that have gone to others: nobody knows them by these any more.
  ///
  /// What is kept under a number goes with the task: its outcome, its output and its statistics.
  mutating func clear(_ freed: [Int32]) {
    for task in freed {
      discard(tasks[Int(task)].registration)
      discard(tasks[Int(task)].keep(output: nil, error: nil))
      tasks[Int(task)] = TaskRecord(registration: CenterMachine.nobody, module: "")
      marks[Int(task)] = .destroyed
      if Int(task) < statistics.count { statistics[Int(task)] = TaskStatistics() }
      stops.leave(task)
    }
  }
}
