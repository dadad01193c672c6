/// Finds the node of a task in a plan.
struct NodeIndex: Sendable {
  /// The numbers of the tasks in ascending order.
  private let tasks: ContiguousArray<Int32>
  /// The node of each.
  private let nodes: ContiguousArray<Int32>

  /// - Parameters:
  ///   - members: in the order of declaration; those of a registry are numbered in it.
  ///   - rank: by place in that order, the node.
  init(_ members: ContiguousArray<Int32>, rank: ContiguousArray<Int32>) {
    let isAscending = (1..<max(1, members.count)).allSatisfy { members[$0 - 1] < members[$0] }
    if isAscending {
      tasks = members
      nodes = rank
    } else {
      let places = members.indices.sorted { members[$0] < members[$1] }
      tasks = ContiguousArray(places.lazy.map { members[$0] })
      nodes = ContiguousArray(places.lazy.map { rank[$0] })
    }
  }

  /// The node of a task, if the task takes part. Logarithmic in the number of nodes.
  func node(ofTask task: Int32) -> Int32? {
    var low = 0
    var high = tasks.count
    while low < high {
      let middle = (low + high) >> 1
      if tasks[middle] < task { low = middle + 1 } else { high = middle }
    }
    return low < tasks.count && tasks[low] == task ? nodes[low] : nil
  }
}
