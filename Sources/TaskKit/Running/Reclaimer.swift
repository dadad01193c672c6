/// Whose body lent its slot and wants one again.
struct Reclaimer {
  let run: RunHandle
  let worker: Int
}
