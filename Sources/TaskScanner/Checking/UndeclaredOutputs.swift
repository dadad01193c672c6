import TaskGraph

/// Finds bodies that read the output of a task on which theirs does not depend: that throws whenever it is tried.
enum UndeclaredOutputs {
  /// - Parameter dependencies: by task; nil where one is not in the scanned modules, and may be the one that is read.
  static func problems(
    _ tasks: [ScannedTask], dependencies: [[Int]?], resolver: TypeResolver
  ) -> [Problem] {
    tasks.indices.flatMap { number -> [Problem] in
      guard let declared = dependencies[number] else { return [] }
      return tasks[number].outputReads.compactMap { read in
        // Where the name means another one inside the type than outside, the annotation could not say it; nor could it
        // where no build has both.
        guard case .tasks(let found) = resolver.resolve(read, from: tasks[number]),
          let first = found.first(where: { !tasks[$0].excludes(tasks[number]) }), !found.contains(number),
          Set(found).isDisjoint(with: declared)
        else { return nil }
        return .undeclaredOutput(read, of: tasks[first], readBy: tasks[number])
      }
    }
  }
}
