/// How the replies of an event's tasks become one.
///
/// Every task is asked, whatever the others answered (E9), and each is asked once.
public struct ReplyRule<Reply: Sendable>: Sendable {
  let merge: @Sendable (Reply, Reply) -> Reply
  let whenNobodyAnswers: Reply?

  /// The reply that stands first in the law's order.
  public static var first: ReplyRule { ReplyRule(merge: { first, _ in first }, whenNobodyAnswers: nil) }

  /// The replies merged one by one, in the law's order, whatever order they came in.
  public static func merge(_ merge: @escaping @Sendable (_ sofar: Reply, _ next: Reply) -> Reply) -> ReplyRule {
    ReplyRule(merge: merge, whenNobodyAnswers: nil)
  }

  /// The replies merged one by one, in the law's order, and a reply for when nobody gives one.
  public static func merge(
    whenNobodyAnswers fallback: Reply, _ merge: @escaping @Sendable (_ sofar: Reply, _ next: Reply) -> Reply
  ) -> ReplyRule {
    ReplyRule(merge: merge, whenNobodyAnswers: fallback)
  }
}

extension ReplyRule<Bool> {
  /// True when one task answers true; false when none does, or none answers at all.
  public static var any: ReplyRule { .merge(whenNobodyAnswers: false) { $0 || $1 } }

  /// True when every task that answers says true; true as well when none answers.
  public static var all: ReplyRule { .merge(whenNobodyAnswers: true) { $0 && $1 } }
}
