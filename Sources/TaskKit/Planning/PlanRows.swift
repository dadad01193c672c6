import TaskGraph

/// Who waits for whom among the tasks of one event, in the order of declaration: one row of prerequisites each.
struct PlanRows {
  /// A prerequisite outside the event.
  typealias External = (member: Int32, task: Int32, kind: DependencyGraph.EdgeKind)

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

  init(_ members: ContiguousArray<Int32>, in records: ContiguousArray<TaskRecord>, table: RegistryTable?) {
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
            addRow(of: Int32(index), records[Int(task)], places)
            continue
          }
          // The registry's tasks have the numbers of their rows.
          let row = 2 * Int(task)
          let (start, middle, end) = (starts[row], starts[row + 1], starts[row + 2])
          self.starts.append(Int32(prerequisites.count))
          add(targets[Int(start)..<Int(middle)], .requires, of: Int32(index), places)
          if middle < end { add(targets[Int(middle)..<Int(end)], .follows, of: Int32(index), places) }
        }
      }
    } else {
      for (index, task) in members.enumerated() { addRow(of: Int32(index), records[Int(task)], places) }
    }
    starts.append(Int32(prerequisites.count))
  }

  private mutating func addRow(of member: Int32, _ record: borrowing TaskRecord, _ places: borrowing MemberPlaces) {
    starts.append(Int32(prerequisites.count))
    add(record.dependencyRow, .requires, of: member, places)
    add(record.afterRow, .follows, of: member, places)
  }

  @inline(__always)
  private mutating func add(
    _ row: some Sequence<Int32>, _ kind: DependencyGraph.EdgeKind, of member: Int32, _ places: borrowing MemberPlaces
  ) {
    for task in row {
      let other = places.place(of: task)
      guard other >= 0 else {
        externals.append((member, task, kind))
        continue
      }
      // Dependencies come first: of two edges the stricter one is there already.
      guard namedBy[Int(other)] != member else { continue }
      namedBy[Int(other)] = member
      prerequisites.append(other)
      kinds.append(kind)
      dependentCounts[Int(other)] += 1
      if other >= member { isForward = false }
    }
  }

  /// The highest priority among each member and everything that waits for it; nil if they wait in a circle.
  func effectivePriorities(_ priorities: ContiguousArray<Int>) -> ContiguousArray<Int>? {
    var effective = priorities
    if isForward {
      if let first = priorities.first, priorities.allSatisfy({ $0 == first }) { return priorities }
      for member in (0..<count).reversed() { inherit(from: member, &effective) }
      return effective
    }
    // From those that nobody waits for to what they wait for; a circle is what is never reached.
    var open = dependentCounts
    var settled = ContiguousArray<Int32>()
    settled.reserveCapacity(count)
    for member in 0..<count where open[member] == 0 { settled.append(Int32(member)) }
    var next = 0
    while next < settled.count {
      let member = Int(settled[next])
      next += 1
      inherit(from: member, &effective)
      for position in Int(starts[member])..<Int(starts[member + 1]) {
        let prerequisite = prerequisites[position]
        open[Int(prerequisite)] -= 1
        if open[Int(prerequisite)] == 0 { settled.append(prerequisite) }
      }
    }
    return next == count ? effective : nil
  }

  @inline(__always)
  private func inherit(from member: Int, _ effective: inout ContiguousArray<Int>) {
    let priority = effective[member]
    for position in Int(starts[member])..<Int(starts[member + 1]) {
      let prerequisite = Int(prerequisites[position])
      if effective[prerequisite] < priority { effective[prerequisite] = priority }
    }
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
