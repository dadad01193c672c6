import TaskGraph

/// Who waits for whom among the tasks of one event, in the order of declaration: one row of prerequisites each.
///
/// A member is an `Int` wherever a task stands beside it, which is an `Int32`: so that neither is taken for the other.
struct PlanRows {
  /// A prerequisite outside the event.
  typealias External = (member: Int, task: Int32, kind: DependencyGraph.EdgeKind)

  let count: Int
  /// Where the row of each member begins; one more than there are members.
  private(set) var starts: ContiguousArray<Int32>
  private(set) var prerequisites: ContiguousArray<Int32> = []
  private(set) var kinds: ContiguousArray<DependencyGraph.EdgeKind> = []
  private(set) var externals: ContiguousArray<External> = []
  /// How many wait for each.
  private(set) var dependentCounts: ContiguousArray<Int32>
  /// Who has named each last.
  private var namedBy: ContiguousArray<Int32>
  /// Whether everyone is declared after all that it waits for.
  private(set) var isForward = true

  /// - Parameters:
  ///   - occasion: that of the event; a task that is no member may run at it all the same, where the plan is of a few tasks.
  ///   - isMixed: whether not all members run at the event. Then 'after' holds only between those that always run
  ///     together: of others the proof has looked at each occasion alone, and all together they may form a circle.
  init(
    _ members: ContiguousArray<Int32>, in records: ContiguousArray<TaskRecord>, table: RegistryTable?,
    at occasion: Occasion, isMixed: Bool = false
  ) {
    func mayFollow(_ member: Int, _ other: Int32) -> Bool {
      isMixed
        ? records[Int(members[member])].sharesAllOccasions(with: records[Int(other)])
        : records[Int(other)].mayRun(at: occasion)
    }
    count = members.count
    starts = []
    starts.reserveCapacity(count + 1)
    dependentCounts = ContiguousArray(repeating: 0, count: count)
    namedBy = ContiguousArray(repeating: -1, count: count)
    let places = MemberPlaces(members, among: records.count)
    if let table {
      // What is read of a table in one go is not counted as a reference for each row.
      prerequisites.reserveCapacity(table.linkCount)
      kinds.reserveCapacity(table.linkCount)
      table.withLinks { targets, starts in
        for (index, task) in members.enumerated() {
          guard records[Int(task)].hasLinks(of: table) else {
            addRow(of: index, records[Int(task)], places, isMixed, mayFollow)
            continue
          }
          // The registry's tasks have the numbers of their rows.
          let row = 2 * Int(task)
          let (start, middle, end) = (starts[row], starts[row + 1], starts[row + 2])
          self.starts.append(Int32(prerequisites.count))
          add(targets[Int(start)..<Int(middle)], .requires, of: index, places)
          if middle < end {
            let row = targets[Int(middle)..<Int(end)]
            add(row, .follows, of: index, places, isMixed: isMixed, if: mayFollow)
          }
        }
      }
    } else {
      for (index, task) in members.enumerated() {
        addRow(of: index, records[Int(task)], places, isMixed, mayFollow)
      }
    }
    starts.append(Int32(prerequisites.count))
  }

  private mutating func addRow(
    of member: Int, _ record: borrowing TaskRecord, _ places: borrowing MemberPlaces, _ isMixed: Bool,
    _ mayFollow: (_ member: Int, _ task: Int32) -> Bool
  ) {
    starts.append(Int32(prerequisites.count))
    add(record.dependencyRow, .requires, of: member, places)
    add(record.afterRow, .follows, of: member, places, isMixed: isMixed, if: mayFollow)
  }

  @inline(__always)
  private mutating func add(
    _ row: some Sequence<Int32>, _ kind: DependencyGraph.EdgeKind, of member: Int, _ places: borrowing MemberPlaces,
    isMixed: Bool = false, if mayFollow: (_ member: Int, _ task: Int32) -> Bool = { _, _ in true }
  ) {
    let place = Int32(truncatingIfNeeded: member)
    for task in row {
      let other = places.place(of: task)
      // 'after' orders nothing between different occasions.
      if other < 0 || isMixed, !mayFollow(member, task) { continue }
      guard other >= 0 else {
        externals.append((member, task, kind))
        continue
      }
      // Dependencies come first: of two edges the stricter one is there already.
      guard namedBy[Int(other)] != place else { continue }
      namedBy[Int(other)] = place
      prerequisites.append(other)
      kinds.append(kind)
      dependentCounts[Int(other)] += 1
      if other >= place { isForward = false }
    }
  }

  /// The same as edges of a graph.
  var edges: [DependencyGraph.Edge] {
    (0..<count).flatMap { member in
      (Int(starts[member])..<Int(starts[member + 1])).map { position in
        DependencyGraph.Edge(
          prerequisite: prerequisites[position], dependent: Int32(member), kind: kinds[position])
      }
    }
  }

  /// The highest priority among each member and everything that waits for it; nil if they wait in a circle.
  func effectivePriorities(_ priorities: ContiguousArray<Int>) -> ContiguousArray<Int>? {
    DependencyGraph.effectivePriorities(
      priorities, starts: starts, prerequisites: prerequisites, dependentCounts: dependentCounts, isForward: isForward)
  }
}

/// Finds the place of a task among the members of a plan.
struct MemberPlaces {
  /// By task, where a good part of all tasks are members.
  private var table: ContiguousArray<Int32> = []
  /// Where members are numbered one after the other: the first number, and how many there are.
  private var first: Int32 = 0
  private var count: Int32 = 0
  /// Otherwise.
  private var few: [Int32: Int32] = [:]

  /// - Parameter total: how many tasks the center has numbers for.
  init(_ members: ContiguousArray<Int32>, among total: Int) {
    guard let first = members.first else { return }
    if members.indices.allSatisfy({ members[$0] == first + Int32($0) }) {
      (self.first, count) = (first, Int32(members.count))
    } else if members.count > total / 16 {
      table = ContiguousArray(repeating: -1, count: total)
      for (place, task) in members.enumerated() { table[Int(task)] = Int32(place) }
    } else {
      for (place, task) in members.enumerated() { few[task] = Int32(place) }
    }
  }

  /// -1 for a task that is no member.
  @inline(__always)
  func place(of task: Int32) -> Int32 {
    if count > 0 { return task >= first && task - first < count ? task - first : -1 }
    return table.isEmpty ? few[task] ?? -1 : table[Int(task)]
  }
}
