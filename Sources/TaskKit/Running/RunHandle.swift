/// Names a run inside its center: the place where its state is, and a number that no other run ever has.
struct RunHandle: Sendable, Hashable {
  let slot: Int
  let id: UInt64
}
