/// What has become of a run as a whole, the worst last.
enum RunVerdict: Int8, Comparable {
  case completed, cancelled, deadlineExceeded

  var status: EventReport.Status {
    switch self {
    case .completed: .completed
    case .cancelled: .cancelled
    case .deadlineExceeded: .deadlineExceeded
    }
  }

  static func < (one: RunVerdict, other: RunVerdict) -> Bool { one.rawValue < other.rawValue }
}
