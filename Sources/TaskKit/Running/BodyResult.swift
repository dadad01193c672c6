/// What a body came to.
enum BodyResult: Sendable {
  case returned
  case output(any Sendable)
  /// The words are the error's own, which its code makes: not under the lock.
  case failed(any Error, words: String)
  case disabled
}
