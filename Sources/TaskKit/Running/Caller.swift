/// Who calls into its center: a body, or the initialiser of a module, which may be called in one.
struct Caller: Sendable {
  var frame: FrameIdentity
  /// The number of the body's worker.
  let worker: Int
}
