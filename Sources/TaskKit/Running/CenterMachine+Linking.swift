/// What the tasks of a center refer to: numbers instead of names, and who looks up what refers to a task.
extension CenterMachine {
  /// Makes what changes look things up in.
  mutating func makeLinks() {
    makeDirectory()
    guard links == nil else { return }
    links = TaskLinks()
    for task in present { addLinks(of: task) }
  }

  /// Notes whom a task waits for and whom it speaks of.
  private mutating func addLinks(of task: Int32) {
    let record = tasks[Int(task)]
    for other in record.dependencyRow { links!.add(task, requires: other, in: tasks) }
    for other in record.afterRow { links!.add(task, follows: other, in: tasks) }
    for name in record.mentions {
      // The build may have meant another one than who bears the name as a whole.
      if let bearer = directory!.number(named: name),
        record.dependencyRow.contains(bearer) || record.afterRow.contains(bearer)
      {
        continue
      }
      links!.add(task, mentions: name, in: tasks)
    }
  }

  /// Turns what a task refers to into numbers.
  mutating func link(_ task: Int32) throws {
    let registration = tasks[Int(task)].registration
    guard !registration.dependencies.isEmpty || !registration.after.isEmpty else { return }
    tasks[Int(task)].dependencies = try registration.dependencies.map { dependency in
      if let type = dependency.type, let number = directory!.number(ofType: type) { return number }
      return try find(TaskName(dependency.text))
    }
    for reference in registration.after {
      if let number = number(named: reference.name) {
        tasks[Int(task)].after.append(number)
      } else {
        tasks[Int(task)].unresolvedAfter.append(reference)
      }
    }
    addLinks(of: task)
  }

  /// Names in `after:` that had nobody may have somebody now.
  mutating func resolveMentions(of new: Int32) {
    let record = tasks[Int(new)]
    let whole = record.registration.name.rawValue
    var names = [whole]
    if let short = record.registration.name.short(inModule: record.module) { names.append(short) }
    for name in names {
      var resolved: Set<Int32> = []
      for task in links!.mentioners(of: name, in: tasks) where task != new {
        guard lacksPredecessor(task, called: TaskName(name)) else { continue }
        tasks[Int(task)].unresolvedAfter.removeAll { $0.name.rawValue == name }
        tasks[Int(task)].after.append(new)
        links!.add(task, follows: new, in: tasks)
        forgetPlans(of: task)
        resolved.insert(task)
      }
      // Another task may still come to bear a short name.
      if name == whole { links!.remove(resolved, mentioning: name) }
    }
  }

  /// Whether a task comes after a name that none of those is called after which it does.
  private func lacksPredecessor(_ task: Int32, called name: TaskName) -> Bool {
    let record = tasks[Int(task)]
    if record.unresolvedAfter.contains(where: { $0.name == name }) { return true }
    // Of one that was left out of a registry the build has resolved the name.
    guard record.registration.after.contains(where: { $0.name == name }) else { return false }
    return !record.afterRow.contains { number in
      tasks[Int(number)].registration.name.isCalled(name, module: tasks[Int(number)].module)
    }
  }

  /// Lets what depends on one task depend on another.
  mutating func replace(_ old: Int32, with new: Int32) {
    let dependents = links!.dependents(of: old, in: tasks)
    let followers = links!.followers(of: old, in: tasks)
    for task in dependents {
      for index in tasks[Int(task)].dependencies.indices where tasks[Int(task)].dependencies[index] == old {
        tasks[Int(task)].dependencies[index] = new
      }
      links!.add(task, requires: new, in: tasks)
      forgetPlans(of: task)
    }
    for task in followers {
      for index in tasks[Int(task)].after.indices where tasks[Int(task)].after[index] == old {
        tasks[Int(task)].after[index] = new
      }
      links!.add(task, follows: new, in: tasks)
      forgetPlans(of: task)
    }
    links!.removeDependents(of: old)
  }
}

extension TaskRecord {
  /// The names that it refers to.
  var mentions: [String] {
    registration.dependencies.map(\.text) + registration.after.map(\.name.rawValue)
  }
}
