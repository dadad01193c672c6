extension TaskError {
  static func missingModule(_ dependency: String, neededBy module: String) -> TaskError {
    TaskError(
      .missingModule, nil,
      "module '\(module)' cannot be created without '\(dependency)', which was left out or unregistered; register it, or "
        + "take it as an optional")
  }

  static func unknownModule(_ name: String) -> TaskError {
    TaskError(
      .missingModule, nil,
      "there is no module '\(name)' in this center: it was left out or unregistered, or never registered")
  }

  static func noInstance(_ type: String) -> TaskError {
    TaskError(.missingModule, nil, "module '\(type)' is not in this center any more; it was unregistered")
  }

  static func joinedLate(_ module: String) -> TaskError {
    TaskError(
      .missingModule, nil,
      "the instance of module '\(module)' has to be waited for, because a module that it depends on has joined since the "
        + "event was sent; send the event again")
  }

  static func beingMade(_ module: String) -> TaskError {
    TaskError(
      .missingModule, nil,
      "the instance of module '\(module)' has to be waited for, because the main actor has begun to make it since the event "
        + "was sent, and an initialiser blocks there; send the event again")
  }

  static func hasShutDown(module: String) -> TaskError {
    TaskError(
      .hasShutDown, nil, "module '\(module)' cannot be created: its center has shut down; make another center")
  }

  static func disabledItself(module: String) -> TaskError {
    TaskError(
      .missingModule, nil,
      "module '\(module)' cannot be created: its initialiser has thrown 'TaskDisabled', which stands for a task whose "
        + "'isEnabled' is false; throw another error")
  }

  /// - Parameter chain: how it waits for whoever asks, where that is known.
  static func createsItself(_ module: String, chain: String? = nil) -> TaskError {
    TaskError(
      .waitsForItself, nil,
      "creating module '\(module)' needs its own instance, directly or through others"
        + (chain.map { ": \($0), which asks for it" } ?? "") + "; ask for it after it is created")
  }

  static func moduleHasDependents(_ module: String, _ dependents: [String]) -> TaskError {
    let list = dependents.map { "'\($0)'" }.joined(separator: ", ")
    return TaskError(
      .hasDependents, nil,
      "module '\(module)' cannot be unregistered, because \(list) \(dependents.count == 1 ? "depends" : "depend") on it; "
        + "unregister them too (dependents: .include), or let them go on without it (dependents: .detach)")
  }
}
