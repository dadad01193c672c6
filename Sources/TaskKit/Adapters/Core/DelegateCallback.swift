/// One callback of a system's delegate, and the events that it stands for.
package struct DelegateCallback: Sendable {
  /// Its name in Objective-C, by which the system asks for it.
  package let selector: String
  /// The names of the events.
  package let events: [String]
  /// It costs the system nothing and the center needs it whether a task does or not: the launch events, which tasks that are
  /// injected later have to know of.
  package let isAlwaysAnswered: Bool
  /// It is the last one, with which the center shuts down: also where there is something to stop.
  private let isLast: Bool

  init<each Payload: Sendable, each Reply: Sendable>(
    _ selector: String, isAlwaysAnswered: Bool = false, isLast: Bool = false,
    _ events: repeat LifecycleEvent<each Payload, each Reply>
  ) {
    var names: [String] = []
    for event in repeat each events { names.append(event.name) }
    self.selector = selector
    self.events = names
    self.isAlwaysAnswered = isAlwaysAnswered
    self.isLast = isLast
  }

  /// Whether a task wants one of the events, or the center the callback itself.
  package func isWanted(in center: TaskCenter) -> Bool {
    isAlwaysAnswered || events.contains { center.isSubscribed(toEventNamed: $0) } || isLast && center.hasSomethingToStop
  }
}

/// The callbacks of one delegate.
package struct DelegateCallbacks: Sendable, ExpressibleByArrayLiteral {
  package let all: [DelegateCallback]
  private let bySelector: [String: DelegateCallback]

  package init(arrayLiteral callbacks: DelegateCallback...) {
    all = callbacks
    bySelector = Dictionary(uniqueKeysWithValues: callbacks.map { ($0.selector, $0) })
  }

  /// Whether a delegate answers a callback.
  ///
  /// - Returns: nil for what is none of these callbacks, so that the class decides.
  package func isAnswered(_ selector: String, in center: TaskCenter) -> Bool? {
    bySelector[selector]?.isWanted(in: center)
  }
}
