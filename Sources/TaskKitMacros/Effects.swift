import SwiftSyntax

/// What a call has to be marked with.
struct Effects {
  private(set) var isAsync = false

  /// `throws` or `throws(Failure)`; nil for `throws(Never)`, which needs no `try`.
  private(set) var throwing: String?

  init(_ specifiers: FunctionEffectSpecifiersSyntax?) {
    isAsync = specifiers?.asyncSpecifier != nil
    let clause = specifiers?.throwsClause
    let isNever = clause?.type?.namePath.map { $0 == ["Never"] || $0 == ["Swift", "Never"] } ?? false
    throwing = isNever ? nil : clause?.trimmedDescription
  }

  private init(isAsync: Bool, throwing: String?) {
    self.isAsync = isAsync
    self.throwing = throwing
  }

  /// The effects of `run` on an actor, seen from outside.
  var onAnotherActor: Effects { Effects(isAsync: true, throwing: throwing) }

  /// What has both effects; a thrown type survives only where the other throws nothing.
  func joined(_ other: Effects) -> Effects {
    let throwing =
      switch (throwing, other.throwing) {
      case (let own?, let others?): own == others ? own : "throws"
      case (let own, let others): own ?? others
      }
    return Effects(isAsync: isAsync || other.isAsync, throwing: throwing)
  }

  /// The effects of a function that may throw an error of its own as well.
  var throwingAnything: Effects { Effects(isAsync: isAsync, throwing: "throws") }

  /// As they stand behind a parameter list, with a space in front.
  var signature: String { (isAsync ? " async" : "") + (throwing.map { " \($0)" } ?? "") }

  /// As they stand before a call, with a space behind.
  var marks: String { (throwing == nil ? "" : "try ") + (isAsync ? "await " : "") }
}
