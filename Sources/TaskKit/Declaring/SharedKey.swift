/// A typed key of a shared value (R33).
///
/// ```swift
/// enum SessionToken: SharedKey { typealias Value = String }
///
/// context[SessionToken.self] = "…"        // in one task
/// let token = center[SessionToken.self]   // in another, or outside
/// ```
public protocol SharedKey {
  /// What is kept under the key. Any task may read it at any time, which is why it can be sent.
  associatedtype Value: Sendable
}
