/// What there is to do on the main actor and has not begun, in the order in which it came.
struct MainActorPieces {
  private var bodies: [UInt64: MainActorWork.Body] = [:]
  private var nextNumber: UInt64 = 0
  /// Nothing below has not begun.
  private var first: UInt64 = 0

  /// How many numbers are looked at for the next piece, at the most.
  var reach: UInt64 { nextNumber - first }

  /// - Returns: the number of the piece.
  mutating func add(_ body: @escaping MainActorWork.Body) -> UInt64 {
    defer { nextNumber += 1 }
    bodies[nextNumber] = body
    return nextNumber
  }

  /// A piece whose turn has come; nil if it has begun.
  mutating func take(_ number: UInt64) -> MainActorWork.Body? {
    let body = bodies.removeValue(forKey: number)
    // Else who waits there for the first time would look at whatever has had its turn since the process began.
    if bodies.isEmpty { first = nextNumber }
    return body
  }

  /// The first one, before its turn.
  mutating func takeNext() -> MainActorWork.Body? {
    while first < nextNumber {
      defer { first += 1 }
      if let body = bodies.removeValue(forKey: first) { return body }
    }
    return nil
  }
}
