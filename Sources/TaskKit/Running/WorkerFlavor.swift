/// Who runs bodies, and which ones it may.
enum WorkerFlavor: Sendable {
  /// The thread that sent the event: synchronous bodies only, which need no task of their own to be cancelled.
  case caller
  /// The main actor, inside `begin` or `sendAndWait`: synchronous bodies, its own and those of no actor.
  case mainCaller
  case background
  case main

  var acceptsSynchronous: Bool { self != .main }
  var acceptsMain: Bool { self == .main || self == .mainCaller }
  var acceptsAsynchronous: Bool { self == .background }

  func accepts(_ form: TaskBody.Form) -> Bool {
    switch form {
    case .synchronous: acceptsSynchronous
    case .main: acceptsMain
    case .asynchronous: acceptsAsynchronous
    }
  }
}
