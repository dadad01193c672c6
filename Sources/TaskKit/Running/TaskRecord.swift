import TaskGraph

/// One task of the center.
struct TaskRecord: Sendable {
  /// Its place in the order of declaration, and what tells it from others that had its number or will have it. Nobody's
  /// while the number is not taken, and of a task that has gone.
  var sequence: Int64 = -1
  /// That of its registry. The center's machine holds the table, and nowhere else are records of it.
  private let table: Unmanaged<RegistryTable>?
  private let row: Int32
  /// The latest end, unless it has never ended.
  var latest: NodeStatus?
  var latestEndedWell = false
  /// The turn of the run which that was in: one that has begun earlier may end later. Walks are alone, and have none.
  var latestTurn: UInt64 = 0
  /// Nil while the table has it.
  private var own: TaskRegistration?
  private let ownModule: String
  private var changed: Links?
  /// What few tasks have.
  private var belongings: Belongings?

  /// A task that waits for nothing yet.
  init(registration: TaskRegistration, module: String) {
    own = registration
    ownModule = module
    table = nil
    row = -1
  }

  /// A task of a registry.
  init(row: Int32, of table: RegistryTable, sequence: Int64) {
    self.table = .passUnretained(table)
    self.row = row
    self.sequence = sequence
    own = nil
    ownModule = ""
  }

  var registration: TaskRegistration {
    get {
      if let own { return own }
      guard let table else { preconditionFailure("a task has neither a registration nor a registry") }
      return table._withUnsafeGuaranteedRef { $0.registration(row) }
    }
    set { own = newValue }
  }

  var module: String { table?._withUnsafeGuaranteedRef { $0.module(row) } ?? ownModule }

  // MARK: - Facts

  /// Whether it is what the table says.
  @inline(__always)
  func isDeclared(in table: RegistryTable) -> Bool {
    own == nil && self.table?.toOpaque() == Unmanaged.passUnretained(table).toOpaque()
  }

  /// What a plan wants to know of it.
  @inline(__always)
  func facts() -> ModuleTasks.Facts {
    if own == nil, let table { return table._withUnsafeGuaranteedRef { $0.rows.elements[Int(row)].facts } }
    return registration.facts(event: -1)
  }

  // MARK: - Links

  private struct Links: Sendable {
    var dependencies: [Int32] = []
    var after: [Int32] = []
    var unresolvedAfter: [TaskReference] = []
  }

  private var links: Links {
    get {
      changed
        ?? table?._withUnsafeGuaranteedRef {
          Links(dependencies: [Int32]($0.dependencies(of: row)), after: [Int32]($0.after(of: row)))
        } ?? Links()
    }
    set { changed = newValue }
  }

  /// Task numbers in the order of the declaration.
  var dependencies: [Int32] {
    get { links.dependencies }
    set { links.dependencies = newValue }
  }

  /// Names of `after` that are there, and those that are not yet.
  var after: [Int32] {
    get { links.after }
    set { links.after = newValue }
  }

  var unresolvedAfter: [TaskReference] {
    get { changed?.unresolvedAfter ?? [] }
    set { links.unresolvedAfter = newValue }
  }

  /// The same as `dependencies`, for a look: nothing is copied.
  var dependencyRow: RegistryTable.Links {
    if let changed { return changed.dependencies[...] }
    return table?._withUnsafeGuaranteedRef { $0.dependencies(of: row) } ?? []
  }

  /// The same as `after`, for a look: nothing is copied.
  var afterRow: RegistryTable.Links {
    if let changed { return changed.after[...] }
    return table?._withUnsafeGuaranteedRef { $0.after(of: row) } ?? []
  }

  /// Whether what it waits for is what the table says.
  @inline(__always)
  func hasLinks(of table: RegistryTable) -> Bool {
    changed == nil && self.table?.toOpaque() == Unmanaged.passUnretained(table).toOpaque()
  }

  /// Whether it may run at an occasion, so that 'after' means something between it and those that do.
  func mayRun(at occasion: Occasion) -> Bool {
    registration.occasions.contains { $0.event.occasion.mayBe(occasion) }
  }

  /// Whether wherever one of them runs the other one does too.
  func sharesAllOccasions(with other: TaskRecord) -> Bool {
    let (own, others) = (registration.occasions, other.registration.occasions)
    func isCovered(_ some: [TaskOccasion], by all: [TaskOccasion]) -> Bool {
      some.allSatisfy { one in all.contains { $0.event.occasion == one.event.occasion } }
    }
    return isCovered(own, by: others) && isCovered(others, by: own)
  }

  // MARK: - Belongings

  private final class Belongings: Sendable {
    let output: (any Sendable)?
    let error: (any Error)?
    let missed: (event: Int, payload: any Sendable)?

    init(output: (any Sendable)?, error: (any Error)?, missed: (event: Int, payload: any Sendable)?) {
      self.output = output
      self.error = error
      self.missed = missed
    }
  }

  var hasBelongings: Bool { belongings != nil }
  var latestOutput: (any Sendable)? { belongings?.output }
  var latestError: (any Error)? { belongings?.error }

  /// An occasion that was missed while the task was paused, to be delivered when it resumes.
  var missedPayload: (event: Int, payload: any Sendable)? { belongings?.missed }

  /// - Returns: what held the output and the error before.
  mutating func keep(output: (any Sendable)?, error: (any Error)?) -> (any Sendable)? {
    replaceBelongings(output, error, missedPayload)
  }

  /// - Returns: what held the payload before.
  mutating func keep(missed: (event: Int, payload: any Sendable)?) -> (any Sendable)? {
    replaceBelongings(latestOutput, latestError, missed)
  }

  private mutating func replaceBelongings(
    _ output: (any Sendable)?, _ error: (any Error)?, _ missed: (event: Int, payload: any Sendable)?
  ) -> (any Sendable)? {
    let old = belongings
    let isNeeded = output != nil || error != nil || missed != nil
    belongings = isNeeded ? Belongings(output: output, error: error, missed: missed) : nil
    return old
  }
}
