/// Somebody who waits until every task of at least some priority has ended.
struct ReadyWaiter {
  /// Nodes of at least that effective priority are waited for.
  let priority: Int
  var left: Int
  let continuation: CheckedContinuation<Void, Never>
}
