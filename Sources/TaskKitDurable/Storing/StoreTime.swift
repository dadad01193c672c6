package import Foundation

/// A moment as stores keep it: microseconds since 1970, which every kind of store can write down exactly.
package struct StoreTime: Hashable, Comparable, Sendable {
  package var microseconds: Int64

  package init(microseconds: Int64) { self.microseconds = microseconds }

  /// Dates that are further away than the numbers reach become the furthest one.
  package init(_ date: Date) {
    let exact = (date.timeIntervalSince1970 * 1_000_000).rounded()
    self.init(microseconds: Int64(exactly: exact) ?? (exact < 0 ? .min : .max))
  }

  /// When a job may start.
  package init(_ start: NewJob.Start, now: StoreTime) {
    switch start {
    case .now: self = now
    case .after(let delay): self = now + delay
    case .at(let date): self.init(date)
    }
  }

  package var date: Date { Date(timeIntervalSince1970: Double(microseconds) / 1_000_000) }

  package static func < (left: StoreTime, right: StoreTime) -> Bool { left.microseconds < right.microseconds }

  package static func + (time: StoreTime, duration: Duration) -> StoreTime {
    let (sum, overflows) = time.microseconds.addingReportingOverflow(duration.microseconds)
    return StoreTime(microseconds: overflows ? (duration < .zero ? .min : .max) : sum)
  }

  /// How long it takes until a later moment; never less than zero.
  package func wait(until other: StoreTime) -> Duration {
    guard other > self else { return .zero }
    let (difference, overflows) = other.microseconds.subtractingReportingOverflow(microseconds)
    return .microseconds(overflows ? .max : difference)
  }
}

extension Duration {
  /// Rounded up, so that nothing happens too early; the furthest there is where there are more.
  package var microseconds: Int64 {
    // Before it is asked for its parts: it may have more seconds than these have room for.
    guard self < .microseconds(Int64.max) else { return .max }
    guard self > .microseconds(Int64.min) else { return .min }
    let (seconds, attoseconds) = components
    let part = attoseconds / 1_000_000_000_000 + (attoseconds % 1_000_000_000_000 > 0 ? 1 : 0)
    return seconds * 1_000_000 + part
  }
}
