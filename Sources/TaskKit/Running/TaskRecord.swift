/// One task of the center.
struct TaskRecord: Sendable {
  var registration: TaskRegistration
  var module: String
  /// Its place in the order of declaration, and what tells it from others that had its number or will have it. Nobody's
  /// while the number is not taken, and of a task that has gone.
  var sequence: Int64 = -1
  /// What it waits for, as the registry says; nil once that has changed, and where there is nothing.
  private var declared: LinkTable?
  private var row: Int32 = 0
  /// The latest end, unless it has never ended.
  var latest: NodeStatus?
  var latestEndedWell = false
  private var changed: Links?
  /// What few tasks have.
  private var belongings: Belongings?

  /// A task that waits for nothing yet.
  init(registration: TaskRegistration, module: String) {
    self.registration = registration
    self.module = module
  }

  /// A task of a registry: what it waits for stands in a row of a table, which no task has for itself.
  init(registration: TaskRegistration, module: String, sequence: Int64, links: LinkTable?, row: Int32) {
    self.registration = registration
    self.module = module
    self.sequence = sequence
    declared = links
    self.row = row
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
        ?? declared.map {
          Links(dependencies: [Int32]($0.dependencies(of: row)), after: [Int32]($0.after(of: row)))
        } ?? Links()
    }
    set {
      changed = newValue
      declared = nil
    }
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
  var dependencyRow: LinkTable.Row {
    @inline(__always) get {
      if let declared { return declared.dependencies(of: row) }
      return (changed?.dependencies ?? [])[...]
    }
  }

  /// The same as `after`, for a look: nothing is copied.
  var afterRow: LinkTable.Row {
    @inline(__always) get {
      if let declared { return declared.after(of: row) }
      return (changed?.after ?? [])[...]
    }
  }

  /// Whether it waits for anything, or has.
  var hasLinks: Bool { declared != nil || changed != nil }

  /// Its row in a table, if that still says what it waits for.
  @inline(__always)
  func row(in table: LinkTable?) -> Int32? { table != nil && declared === table ? row : nil }

  /// Where what it waits for stands, if that is in a table.
  var table: LinkTable? { declared }

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
