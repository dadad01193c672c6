/// What an event's initialiser is told beside its name, as far as the source says it with literals.
struct EventOptions: Equatable {
  /// Nil for a computed value, and for an initialiser that TaskKit does not have.
  let isOnce: Bool?
  /// Without its type: `drop`, `debounce(.seconds(1))`; nil where `isOnce` would be.
  let burst: String?

  init(isOnce: Bool? = false, burst: String? = "queue") {
    self.isOnce = isOnce
    self.burst = burst
  }

  /// Whether the initialiser is one that TaskKit does not have, and may make something else of the name.
  var areUnknown: Bool { isOnce == nil && burst == nil }

  /// Whether it is certain to say what a burst does of what happens once.
  var contradictsItself: Bool { isOnce == true && burst.map { $0 != "queue" } ?? false }

  /// Whether a burst is certain to meet two policies; how long two times are, the program compares.
  func hasOtherBurst(than other: EventOptions) -> Bool {
    guard let burst, let other = other.burst, burst != other else { return false }
    return ![burst, other].allSatisfy { $0.hasPrefix(Self.debounce) }
  }

  /// Whether it is certain to happen once in one place and repeatedly in the other.
  func hasOtherCount(than other: EventOptions) -> Bool {
    guard let isOnce, let other = other.isOnce else { return false }
    return isOnce != other
  }

  fileprivate static let debounce = "debounce("
}

extension FileReader {
  /// Reads the arguments of an initialiser, the first of which is the name.
  func eventOptions(_ arguments: [SourceArgument]) -> EventOptions {
    // An initialiser of somebody's own may say the options itself.
    let own = ["once", "burst", "reply"]
    guard arguments.dropFirst().allSatisfy({ label(of: $0).map(own.contains) ?? false }) else {
      return EventOptions(isOnce: nil, burst: nil)
    }
    func value(_ name: String) -> SourceExpression? {
      arguments.first { label(of: $0) == name }.map { expression($0.value) }
    }
    return EventOptions(
      isOnce: value("once").map { ["true": true, "false": false][$0.text] } ?? false,
      burst: value("burst").map(burst) ?? "queue")
  }

  func burst(_ value: SourceExpression) -> String? {
    let call = value.call
    guard let path = (call?.callee ?? value).memberPath, let name = path.last,
      [[""], ["BurstPolicy"], ["TaskKit", "BurstPolicy"]].contains(Array(path.dropLast()))
    else { return nil }
    guard let call else { return ["queue", "coalesce", "drop", "replace"].contains(name) ? name : nil }
    guard name + "(" == EventOptions.debounce, call.arguments.count == 1 else { return nil }
    return "\(EventOptions.debounce)\(expression(call.arguments[0].value).quotation))"
  }
}
