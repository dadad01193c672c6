/// A table of a store in which no row is about one job: where one of them cannot be read, no job can be left alone for it.
package enum CommonTable: String {
  case format, sequence, name, shelf, owner, pause, schedule, occurrence, permit, rate, start

  /// What is said of a row that has no value where one always is, and what to do about it.
  ///
  /// - Parameter row: which one it is.
  package func damage(_ row: String) -> String {
    "row \(row) of taskkit_\(rawValue) cannot be read: a value is missing; \(repair)"
  }

  private var repair: String {
    switch self {
    case .format, .sequence, .name, .shelf: "jobs depend on it, so write there what it was"
    case .owner: "delete it while no process uses the store: what that one ran is found as when a process dies"
    case .pause: "delete it, and pause again what it was for"
    case .schedule, .occurrence: "write there what it was, or delete it: then nobody knows of it any more"
    case .permit: "write there how many jobs with that key run"
    case .rate, .start: "take that rate away, and set it again"
    }
  }
}
