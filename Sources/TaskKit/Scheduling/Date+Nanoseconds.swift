import Foundation

extension Date {
  /// Nanoseconds since 1970; the end of what can be counted for a date beyond the year 2262.
  var nanosecondsSince1970: Int64 {
    let seconds = timeIntervalSince1970
    let whole = seconds.rounded(.down)
    guard let count = Int64(exactly: whole) else { return seconds < 0 ? .min : .max }
    let (product, overflows) = count.multipliedReportingOverflow(by: 1_000_000_000)
    guard !overflows else { return count < 0 ? .min : .max }
    // A date counts in doubles, which are exact to a fraction of a microsecond in this century.
    return product.later(by: Int64(((seconds - whole) * 1e6).rounded()) * 1000)
  }

  init(nanosecondsSince1970 time: Int64) {
    self.init(timeIntervalSince1970: Double(time / 1000) / 1e6)
  }
}
