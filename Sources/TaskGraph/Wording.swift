/// The phrases that messages and explanations share.
enum Wording {
  /// One task that waits for another, by their names.
  struct Link {
    let dependent: String
    let kind: DependencyGraph.EdgeKind
    let prerequisite: String

    var text: String { Wording.link(dependent, kind, prerequisite) }
  }

  /// What is wrong with a circle, and what to do. Each one's prerequisite is the next one's dependent.
  static func cycle(_ links: [Link]) -> String {
    switch (links.count, links[0].kind) {
    case (1, .requires): "task '\(links[0].dependent)' needs itself; remove this dependency"
    case (1, .follows): "task '\(links[0].dependent)' runs after itself; remove this dependency"
    default:
      "these tasks wait for each other: \(links.map(\.text).joined(separator: ", ")); remove one of these dependencies"
    }
  }

  /// `'B' needs 'A'`, `'B' runs after 'A'`.
  static func link(_ dependent: String, _ kind: DependencyGraph.EdgeKind, _ prerequisite: String) -> String {
    switch kind {
    case .requires: "'\(dependent)' needs '\(prerequisite)'"
    case .follows: "'\(dependent)' runs after '\(prerequisite)'"
    }
  }

  /// `a`, `a and b`, `a, b and c`.
  static func list(_ items: [String], _ conjunction: String = "and") -> String {
    guard let last = items.last, items.count > 1 else { return items.first ?? "" }
    return items.dropLast().joined(separator: ", ") + " \(conjunction) " + last
  }

  static func order(_ reason: OrderReason, name: (Int) -> String) -> String {
    let first = "'\(name(reason.first))'"
    let second = "'\(name(reason.second))'"
    return switch reason.cause {
    case .same: "\(first) is one task, and cannot start before itself"
    case .notBefore(let other): "\(first) does not start before \(second), because \(cause(other, name: name))"
    default: "\(first) starts before \(second), because \(cause(reason, name: name))"
    }
  }

  private static func cause(_ reason: OrderReason, name: (Int) -> String) -> String {
    let first = "'\(name(reason.first))'"
    let second = "'\(name(reason.second))'"
    func chain(_ edges: [DependencyGraph.Edge]) -> [String] {
      // From the waiting end, so that each link names what the link before waits for.
      edges.reversed().map { link(name(Int($0.dependent)), $0.kind, name(Int($0.prerequisite))) }
    }
    let both = "both have priority \(reason.firstPriority)"
    switch reason.cause {
    case .dependency(let edge):
      return list(chain([edge]))
    case .chain(let edges):
      return list(chain(edges))
    case .inheritedPriority(let source, let edges):
      let path = chain(edges) + ["'\(name(source))' has priority \(reason.firstPriority)"]
      return "\(list(path)), more than the \(reason.secondPriority) of \(second)"
    case .ownPriority(let priority):
      return "\(first) has priority \(priority) and \(second) has \(reason.secondPriority)"
    case .declarationOrder:
      return "\(both) and \(first) is declared first"
    case .waiting(let edges):
      let awaited = edges.first.map { name(Int($0.prerequisite)) } ?? ""
      return list([both] + chain(edges) + ["\(first) is declared before '\(awaited)'"])
    case .notBefore, .same:
      return ""
    }
  }
}
