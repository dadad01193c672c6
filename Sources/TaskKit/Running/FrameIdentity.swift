/// What calls into the center: a body, or the initialiser of a module, which may be called in one.
struct FrameIdentity: Sendable, Hashable {
  /// Nil in an initialiser that was called in no body of the center.
  let body: Body?
  /// The attempt to make a module in which it calls.
  let making: UInt64?

  struct Body: Sendable, Hashable {
    let run: RunHandle
    let node: Int32
  }

  init(body: Body?, making: UInt64? = nil) {
    self.body = body
    self.making = making
  }
}
