import Dispatch

/// Whether the calling code is on the main actor, in a place where nothing can be awaited to find out.
///
/// The main queue knows it even where the main thread is gone: under an asynchronous `main` on Linux other threads
/// serve the main actor, and `Thread.isMainThread` is false on it.
enum MainThread {
  private static let mark: DispatchSpecificKey<Void> = {
    let key = DispatchSpecificKey<Void>()
    DispatchQueue.main.setSpecific(key: key, value: ())
    return key
  }()

  static var isCurrent: Bool { DispatchQueue.getSpecific(key: mark) != nil }
}
