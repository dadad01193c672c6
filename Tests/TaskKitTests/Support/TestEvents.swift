import TaskKit

// Events of no meaning, for tests that need several.

extension LifecycleEvent<Void, Void> {
  nonisolated static var alpha: Self { .init("alpha") }
  nonisolated static var beta: Self { .init("beta") }
  nonisolated static var gamma: Self { .init("gamma") }
  nonisolated static func numbered(_ number: Int) -> Self { .init("numbered \(number)") }
  nonisolated static var opening: Self { .init("opening", once: true) }
}

/// What a body throws that is meant to fail.
struct Broken: Error, CustomStringConvertible {
  var description: String { "broken" }
}
