/// What keeps a lane from starting something.
public enum LaneStatus: Sendable, Hashable {
  /// Nothing does.
  case open
  /// Its gate has not opened.
  case closed
  /// ``LaneQueue/pause()`` was called.
  case paused
  /// That has failed, and the lane stops then; see ``LaneQueue/resume(at:)``.
  case stopped(by: TaskName)
}

extension LaneStatus: CustomStringConvertible {
  public var description: String {
    switch self {
    case .open: "open"
    case .closed: "closed"
    case .paused: "paused"
    case .stopped(let name): "stopped by '\(name)'"
    }
  }
}
