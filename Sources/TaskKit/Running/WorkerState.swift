/// Somebody who serves a run, and how far that is.
struct WorkerState {
  enum Stage: Equatable {
    /// It has no node.
    case idle
    /// It was started for a node, and has not come for it.
    case assigned(Int32)
    case running(Int32)
    case left

    /// The node that it has.
    var node: Int32? {
      switch self {
      case .assigned(let node), .running(let node): node
      case .idle, .left: nil
      }
    }
  }

  /// What its bodies can be cancelled through.
  enum Canceller {
    /// Its task is not known yet; a caller has none, and one that has left needs none.
    case none
    case task(_Concurrency.Task<Void, Never>)
    /// The same from the inside, as long as nobody else has it.
    case walker(WalkerTask)
  }

  /// The slot of a body that awaits something, which is somebody else's meanwhile.
  struct Loan {
    var node: Int32
    /// How many things the body awaits at once.
    var count = 0
    /// What in the body goes on when it has a slot again: there is something as long as it waits for one.
    var reclaiming: [CheckedContinuation<Void, Never>] = []
  }

  let flavor: WorkerFlavor
  var stage = Stage.idle
  /// When the node was given to it.
  var since: Int64 = 0
  var canceller = Canceller.none
  /// The task was cancelled for the sake of one body: it must not run another.
  var isSpent = false
  var loan: Loan?
  var isReclaiming: Bool { loan?.reclaiming.isEmpty == false }

  /// The body of its node awaits one thing more.
  mutating func lend(slotOf node: Int32) {
    if loan == nil { loan = Loan(node: node) }
    loan!.node = node
    loan!.count += 1
  }

  /// Where nothing in the body awaits anything, nor waits for a slot, it has its slot or needs none.
  mutating func endLoanIfOver() {
    if let loan, loan.count == 0, loan.reclaiming.isEmpty { self.loan = nil }
  }

  /// - Returns: whether its task has become known.
  mutating func leave() -> Bool {
    defer {
      stage = .left
      canceller = .none
    }
    return if case .task = canceller { true } else { false }
  }
}
