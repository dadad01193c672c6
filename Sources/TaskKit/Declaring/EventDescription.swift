/// An event with its types erased: what a registry and a plan need to know of it.
struct EventDescription: Sendable {
  let name: String
  let isOnce: Bool
  let burst: BurstPolicy
  let payload: ObjectIdentifier
  let reply: ErasedReplyRule?
  /// The names of the two types, made only when a message needs them.
  let typeNames: @Sendable () -> (payload: String, reply: String)

  init<Payload: Sendable, Reply: Sendable>(_ event: LifecycleEvent<Payload, Reply>) {
    name = event.name
    isOnce = event.isOnce
    burst = event.burst
    payload = ObjectIdentifier(Payload.self)
    reply = event.rule.map(ErasedReplyRule.init)
    typeNames = { ("\(Payload.self)", "\(Reply.self)") }
  }

  /// Whether both describe the same event: one name means one payload and one reply.
  func agrees(with other: EventDescription) -> Bool {
    payload == other.payload && reply?.type == other.reply?.type && isOnce == other.isOnce
  }
}

/// A reply rule with its type erased.
struct ErasedReplyRule: Sendable {
  let type: ObjectIdentifier
  /// Merges the replies, given in the law's order; nil when there is none and nobody said what that means.
  let merge: @Sendable ([any Sendable]) -> (any Sendable)?
  let accepts: @Sendable (any Sendable) -> Bool

  init<Reply: Sendable>(_ rule: ReplyRule<Reply>) {
    type = ObjectIdentifier(Reply.self)
    accepts = { $0 is Reply }
    merge = { replies in
      let typed = replies.compactMap { $0 as? Reply }
      guard let first = typed.first else { return rule.whenNobodyAnswers }
      return typed.dropFirst().reduce(first, rule.merge)
    }
  }
}
