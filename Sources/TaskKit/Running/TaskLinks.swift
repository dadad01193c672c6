/// Who waits for a task, and who speaks of a name that another task may come to bear.
///
/// Made before the first change, because a launch asks for none of it; from then on kept up to date, in O(1) for each
/// reference.
struct TaskLinks: Sendable {
  /// By task: those that require it, and those that only come after it.
  private var requiring: [Int32: TaskList] = [:]
  private var following: [Int32: TaskList] = [:]
  /// By name: those that refer to it, unless it is the whole name of a task: then no other task can come to bear it.
  private var mentioning: [String: TaskList] = [:]

  /// How many entries it holds, of tasks that have gone too.
  var storedCount: Int {
    requiring.values.reduce(0) { $0 + $1.storedCount } + following.values.reduce(0) { $0 + $1.storedCount }
      + mentioning.values.reduce(0) { $0 + $1.storedCount }
  }

  // MARK: - Asking

  mutating func hasDependents(_ task: Int32, in tasks: borrowing ContiguousArray<TaskRecord>) -> Bool {
    requiring[task]?.first(in: tasks) != nil
  }

  /// In the order of declaration as far as they joined in it; a task may be in it twice.
  func dependents(of task: Int32, in tasks: borrowing ContiguousArray<TaskRecord>) -> [Int32] {
    requiring[task]?.present(in: tasks).map(\.task) ?? []
  }

  func followers(of task: Int32, in tasks: borrowing ContiguousArray<TaskRecord>) -> [Int32] {
    following[task]?.present(in: tasks).map(\.task) ?? []
  }

  func isMentioned(_ name: String) -> Bool { mentioning[name] != nil }

  func mentioners(of name: String, in tasks: borrowing ContiguousArray<TaskRecord>) -> [Int32] {
    mentioning[name]?.present(in: tasks).map(\.task) ?? []
  }

  // MARK: - Changing

  mutating func add(_ task: Int32, requires other: Int32, in tasks: borrowing ContiguousArray<TaskRecord>) {
    requiring[other, default: TaskList()].append(task, in: tasks)
  }

  mutating func add(_ task: Int32, follows other: Int32, in tasks: borrowing ContiguousArray<TaskRecord>) {
    following[other, default: TaskList()].append(task, in: tasks)
  }

  mutating func add(_ task: Int32, mentions name: String, in tasks: borrowing ContiguousArray<TaskRecord>) {
    mentioning[name, default: TaskList()].append(task, in: tasks)
  }

  /// Tasks come after the one that now bears a name whole: they mention it again when that one goes.
  mutating func remove(_ tasks: Set<Int32>, mentioning name: String) {
    mentioning[name]?.remove(tasks)
    if mentioning[name]?.isEmpty == true { mentioning[name] = nil }
  }

  /// Another has taken its place.
  mutating func removeDependents(of task: Int32) {
    requiring[task] = nil
    following[task] = nil
  }

  /// A task has gone: nobody waits for it, and where it was the last to wait for another or to mention a name, nothing is
  /// kept for that.
  mutating func remove(
    _ task: Int32, dependencies: [Int32], after: [Int32], mentions: some Sequence<String>,
    in tasks: borrowing ContiguousArray<TaskRecord>
  ) {
    removeDependents(of: task)
    for other in dependencies where requiring[other]?.first(in: tasks) == nil { requiring[other] = nil }
    for other in after where following[other]?.first(in: tasks) == nil { following[other] = nil }
    for name in mentions where mentioning[name]?.first(in: tasks) == nil { mentioning[name] = nil }
  }
}
