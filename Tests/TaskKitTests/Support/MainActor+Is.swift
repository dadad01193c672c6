import Dispatch

private let mark: DispatchSpecificKey<Void> = {
  let key = DispatchSpecificKey<Void>()
  DispatchQueue.main.setSpecific(key: key, value: ())
  return key
}()

/// Whether the calling code runs on the main actor; on Linux other threads than the main one may serve it.
var isOnMainActor: Bool { DispatchQueue.getSpecific(key: mark) != nil }
