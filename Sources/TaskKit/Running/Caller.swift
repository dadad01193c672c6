/// Who calls into its center: a body, or the initialiser of a module, which may be called in one.
struct Caller: Sendable {
  let frame: FrameIdentity
  /// The number of the body's worker; nil where it calls in none.
  let worker: Int?
}
