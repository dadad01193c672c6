/// What the tasks of a plan were registered with, by node.
///
/// Mostly that is what the registry says, and nothing is kept twice.
struct PlanRegistrations: Sendable {
  /// Nil where they are kept here.
  let table: RegistryTable?
  private let rows: ContiguousArray<Int32>
  private let own: ContiguousArray<TaskRegistration>

  /// - Parameters:
  ///   - tasks: by node.
  ///   - table: that of the registry, if it says what all of them are.
  init(_ tasks: ContiguousArray<Int32>, in records: ContiguousArray<TaskRecord>, table: RegistryTable?) {
    self.table = table
    // The registry's tasks have the numbers of their rows.
    rows = table == nil ? [] : tasks
    own = table == nil ? ContiguousArray(tasks.lazy.map { records[Int($0)].registration }) : []
  }

  subscript(node: Int) -> TaskRegistration { table?.registration(rows[node]) ?? own[node] }
}
