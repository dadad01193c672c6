import TaskKit

/// Why something about jobs was refused, before any store was asked.
public struct DurableError: Error, Sendable, Hashable, CustomStringConvertible {
  /// What was refused, so that a program can decide by it.
  public enum Code: String, Sendable, Hashable {
    /// The center was made without stores.
    case noStores
    /// A store is named that the center does not have.
    case unknownStore
    /// Two stores of a center have one name.
    case storeNamedTwice
    /// Two types have one `kind:`.
    case kindDeclaredTwice
    /// Jobs that are enqueued together belong to several stores, or an id may be that of a job in each of several.
    case severalStores
    /// Two steps of one attempt have one name.
    case stepUsedTwice
    /// Another attempt holds the job by now, or it was cancelled or deleted; what this one writes is refused.
    case staleAttempt
    /// A result is read that the job has not left or that is no longer kept, or of a job that is no parent of the
    /// reader.
    case missingResult
    /// Something is to be done in a transaction, and the store is not in a database of the program.
    case sharesNoDatabase
    /// A store will never take what an attempt came to, its result for one: the attempt has failed.
    case refusedByStore
    /// A value has more bytes than stores take.
    case valueTooLarge
    /// A time or a number that makes no sense where it was given.
    case unusableValue
    /// A name, a key or a tag with a character that stores cannot keep.
    case unusableName
    /// The process died in an attempt.
    case processDied
    /// There is no time in the background to be had under that identifier: it is not permitted, or was registered before.
    case refusedInBackground
  }

  /// What was refused; of several things the first.
  public let code: Code
  /// One sentence for each thing: what is wrong, then what to do.
  public let description: String

  init(_ code: Code, _ description: String) {
    self.code = code
    self.description = description
  }

  /// All that was refused at once, as one error; nil where there is nothing.
  static func all(_ errors: [DurableError]) -> DurableError? {
    errors.first.map { DurableError($0.code, errors.map(\.description).joined(separator: "\n")) }
  }

  static let noStores = DurableError(
    .noStores,
    """
    the center keeps no jobs, because it was made without stores; say where: \
    'TaskCenter(registry: .generated, stores: [.sqlite()])'
    """)

  package static let noStoresToTest = DurableError(
    .noStores,
    """
    'TestJobs' keeps no jobs, because its list of stores is empty; leave 'stores:' out, or give the names of the program's \
    stores, the first one first
    """)

  /// - Parameter kind: the one whose declaration names it; nil where a call does.
  static func unknownStore(_ name: String, known: [String], of kind: DurableRegistration? = nil) -> DurableError {
    let list = known.map { "'\($0)'" }.joined(separator: ", ")
    let question = name.nearest(among: known).map { "; did you mean '\($0)'?" } ?? ""
    guard let kind else {
      return DurableError(.unknownStore, "the center has no store '\(name)'; it has \(list)\(question)")
    }
    return DurableError(
      .unknownStore,
      """
      kind '\(kind.kind)' keeps its jobs in store '\(name)', which the center does not have; it has \(list)\(question)
        declared at \(kind.location)
      """)
  }

  static func storeNamedTwice(_ name: String) -> DurableError {
    DurableError(.storeNamedTwice, "two stores are called '\(name)'; give one of them another name")
  }

  static func storeGivenTwice(as first: String, _ second: String) -> DurableError {
    unusableStore(second, ["it is the same one as '\(first)'; make another one, or let kinds name '\(first)' alone"])
  }

  static func kindDeclaredTwice(_ first: DurableRegistration, _ second: DurableRegistration) -> DurableError {
    DurableError(
      .kindDeclaredTwice,
      """
      kind '\(second.kind)' of \(second.typeName) is that of \(first.typeName), too; give one of them another name
        declared at \(first.location)
        declared at \(second.location)
      """)
  }

  /// - Parameter stores: their names, each with the kinds whose jobs it keeps.
  static func severalStores(_ stores: [(name: String, kinds: [String])]) -> DurableError {
    let places = stores.map { store in
      "'\(store.name)' (\(store.kinds.map { "kind '\($0)'" }.joined(separator: ", ")))"
    }
    return DurableError(
      .severalStores,
      """
      jobs that are enqueued together belong to one store, not to \(places.joined(separator: " and ")); enqueue them apart, \
      or give their kinds one 'store:'
      """)
  }

  static func idOfSeveralStores(_ names: [String]) -> DurableError {
    DurableError(
      .severalStores,
      """
      an id is that of a job of one store, and this center has \(names.map { "'\($0)'" }.joined(separator: ", ")); say \
      which one is meant: 'center.jobs(in: "\(names[0])")'
      """)
  }

  static func stepUsedTwice(_ name: String, by kind: String) -> DurableError {
    DurableError(
      .stepUsedTwice, "an attempt of kind '\(kind)' uses the step '\(name)' a second time; give each step its own name")
  }

  static func refusedByStore(_ id: JobID, of kind: String, _ store: String, _ error: any Error) -> DurableError {
    // With the others it is said what to do, and it is nothing about the result.
    let repair =
      switch (error as? JobStoreError)?.reason {
      case nil, .invalid, .other: ". Make its result smaller, or keep it elsewhere and return where"
      default: ""
      }
    return DurableError(
      .refusedByStore, "store '\(store)' does not take what job \(id) of kind '\(kind)' came to: \(error)\(repair)")
  }

  static func unusableStore(_ name: String, _ problems: [String]) -> DurableError {
    DurableError(.unusableValue, "store '\(name)': \(problems.joined(separator: "; "))")
  }

  static func valueTooLarge(_ type: Any.Type, _ count: Int, limit: Int) -> DurableError {
    DurableError(
      .valueTooLarge,
      """
      a value of type \(type) is \(count) bytes long, and stores take \(limit); keep it elsewhere, and in the job where \
      that is
      """)
  }

  /// - Parameters:
  ///   - value: what was given.
  ///   - what: what it was given for, and where.
  ///   - advice: what would make sense.
  static func unusableValue(_ value: Any, for what: String, _ advice: String) -> DurableError {
    DurableError(.unusableValue, "\(what) is \(value); \(advice)")
  }

  static func unusableName(_ name: String, of what: String) -> DurableError {
    DurableError(.unusableName, "\(what) \(name.debugDescription) has the character NUL in it; leave that out")
  }

  static func nameInPieces(_ name: String, of what: String) -> DurableError {
    DurableError(
      .unusableName,
      "\(what) '\(name)' is written with letters and their accents apart, and stores would tell it from the same name in one piece; "
        + "use its 'precomposedStringWithCanonicalMapping'")
  }

  static func staleAttempt(_ id: JobID) -> DurableError {
    DurableError(.staleAttempt, "this attempt no longer holds job \(id); what it writes is refused")
  }

  static let processDied = DurableError(.processDied, "the process died")

  static func refusedInBackground(_ identifier: String) -> DurableError {
    DurableError(
      .refusedInBackground,
      """
      '\(identifier)' is not permitted, or is registered already; name it in Info.plist under \
      BGTaskSchedulerPermittedIdentifiers, and register it once, before the launch is finished
      """)
  }

  static func sharesNoDatabase(_ store: String) -> DurableError {
    DurableError(
      .sharesNoDatabase,
      "store '\(store)' is not in a database of yours; make it with 'SQLiteStore(sharing:)' to use its transactions"
    )
  }

  /// - Parameter parents: those of the reader that have left one.
  static func missingResult(of parent: JobID, to reader: JobID, parents: [JobID]) -> DurableError {
    let list =
      parents.isEmpty ? "none has" : "those that have are \(parents.map(\.description).joined(separator: ", "))"
    return DurableError(
      .missingResult,
      """
      job \(parent) is no parent of job \(reader) that has left a result; \(list). Let its 'run' return a value, and add both \
      to one 'JobBatch', job \(reader) with 'after:'
      """)
  }

  static func noResult(of id: JobID) -> DurableError {
    DurableError(
      .missingResult,
      """
      job \(id) has left no result that is kept; one that has finished is gone at once, unless its kind says \
      'retention: JobRetention(finished: …)'
      """)
  }
}
