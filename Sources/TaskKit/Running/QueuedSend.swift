/// A send that waits its turn.
struct QueuedSend {
  let id: UInt64
  let event: Int
  var payload: any Sendable
  var deadline: Int64?
  var claims: Int
  var senders = 1
}
