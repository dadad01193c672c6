import Synchronization

/// Which engine has which store, of those that are objects: one that was given twice is opened, and closed, by one engine alone.
enum StoreClaims {
  private static let holders = Mutex<[ObjectIdentifier: ObjectIdentifier]>([:])

  /// - Returns: false where another engine has it.
  static func claim(_ store: any JobStore, for engine: JobEngine) -> Bool {
    guard let object = store.object else { return true }
    let holder = ObjectIdentifier(engine)
    return holders.withLock { holders in
      if let other = holders[object] { return other == holder }
      holders[object] = holder
      return true
    }
  }

  /// Whether it is for this engine to close it.
  static func isHeld(_ store: any JobStore, by engine: JobEngine) -> Bool {
    guard let object = store.object else { return true }
    let holder = ObjectIdentifier(engine)
    return holders.withLock { $0[object] == holder }
  }

  /// It is another one's as soon as that wants it.
  static func release(_ store: any JobStore, by engine: JobEngine) {
    guard let object = store.object else { return }
    let holder = ObjectIdentifier(engine)
    holders.withLock { holders in
      if holders[object] == holder { holders[object] = nil }
    }
  }
}

extension JobStore {
  /// What tells it from others; nil for a value, of which each copy is as good as the others.
  var object: ObjectIdentifier? { Self.self is AnyClass ? ObjectIdentifier(self as AnyObject) : nil }
}
