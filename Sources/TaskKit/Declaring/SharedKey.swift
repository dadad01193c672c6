/// A typed key of a shared value (R33).
///
/// ```swift
/// enum SessionToken: SharedKey { typealias Value = String }
///
/// context[SessionToken.self] = "…"        // in one task
/// let token = center[SessionToken.self]   // in another, or outside
/// ```
public protocol SharedKey {
  associatedtype Value: Sendable
}
